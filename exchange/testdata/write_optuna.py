"""Writes optuna.log, a preferential study of Optuna, and copied.log, a copy of it from a database. See README.md."""
import os
import tempfile

import optuna
from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.storages import JournalStorage, RDBStorage
from optuna.storages.journal import JournalFileBackend
from optuna_dashboard._preferential_history import NewHistory, remove_history, report_history
from optuna_dashboard.preferential import create_study
from optuna_dashboard.preferential._system_attrs import report_skip

SPACE = {
    "milk": FloatDistribution(0, 0.5),
    "temp": FloatDistribution(1, 100, log=True),
    "sugar": FloatDistribution(0, 2, step=0.25),
    "shots": IntDistribution(1, 4),
    "grind": IntDistribution(1, 64, log=True),
    "size": IntDistribution(2, 10, step=2),
    "bean": CategoricalDistribution(["kenya", "brasil"]),
    "foam": CategoricalDistribution([True, False]),
    "lid": IntDistribution(1, 1),
}


def objective(trial):
    trial.report(float("nan"), 0)
    return trial.suggest_categorical("x", [None, 1]) or float("nan")


def fill(storage):
    study = create_study(n_generate=4, storage=storage, study_name="coffee", sampler=optuna.samplers.RandomSampler(seed=1))
    for _ in range(5):
        study.ask(SPACE)
    t = study.trials
    study.report_preference(t[0], t[1])
    study.report_preference([t[2]], [t[0], t[3]])
    inner, sid = study._study._storage, study._study._study_id
    report_history(sid, inner, NewHistory(mode="ChooseWorst", candidates=[0, 2, 4], clicked=4))
    remove_history(sid, inner, report_history(sid, inner, NewHistory(mode="ChooseWorst", candidates=[0, 2, 3], clicked=2)))
    report_skip(sid, t[3]._trial_id, inner)
    other = optuna.create_study(storage=storage, study_name="other")
    other.optimize(objective, n_trials=2)


for name in ("optuna.log", "copied.log"):
    if os.path.exists(name):
        os.remove(name)
fill(JournalStorage(JournalFileBackend("optuna.log")))
with tempfile.TemporaryDirectory() as folder:
    database = f"sqlite:///{folder}/optuna.db"
    fill(RDBStorage(database))
    optuna.copy_study(
        from_study_name="coffee", from_storage=database, to_storage=JournalStorage(JournalFileBackend("copied.log"))
    )
