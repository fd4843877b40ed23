"""What the site needs beside MkDocs: pages of a folder in the navigation, and links to files of the repository."""

import logging
import posixpath
import re
from pathlib import Path

from mkdocs.utils import get_markdown_title

log = logging.getLogger("mkdocs.hooks.site")
LINK = re.compile(r"(\]\()([^)\s:#]+)((?:#[^)\s]*)?(?:\s+\"[^\"]*\")?\))")  # ](path#anchor "title")
HEAD = re.compile(r"\A(?:<!--.*?-->\s*)+", re.DOTALL)  # comments before the title, which would hide it
FENCE = re.compile(r"^(```.*?^```[^\n]*$)", re.MULTILINE | re.DOTALL)


def on_config(config):
    """Replaces an entry like "guides/" by the pages of that folder, by title."""
    docs = Path(config.docs_dir)

    def title(page):
        return get_markdown_title(HEAD.sub("", (docs / page).read_text(encoding="utf-8"))) or page

    for entry in config.nav:
        for name, value in entry.items():
            if isinstance(value, str) and value.endswith("/"):
                pages = [p.relative_to(docs).as_posix() for p in (docs / value).glob("*.md")]
                entry[name] = sorted(pages, key=lambda page: title(page).lower())
    config.nav = [entry for entry in config.nav if all(entry.values())]  # a folder without pages has no tab
    return config


def on_page_markdown(markdown, page, config, files):
    """Points links that leave docs/ at the repository, and warns of one that leads nowhere."""
    root = Path(config.docs_dir).parent

    def link(match):
        path = posixpath.normpath(posixpath.join("docs", posixpath.dirname(page.file.src_uri), match[2]))
        if path.startswith("docs/"):
            return match[0]
        if not (root / path).exists():
            log.warning("%s links to %s, which does not exist", page.file.src_uri, match[2])
        kind = "tree" if (root / path).is_dir() else "blob"
        return f"{match[1]}{config.repo_url.rstrip('/')}/{kind}/main/{path}{match[3]}"

    parts = FENCE.split(HEAD.sub("", markdown))
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)
