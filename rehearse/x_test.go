package rehearse
import ("testing";"context";"time";"github.com/prefer-bo/prefer")
func TestX(t *testing.T){
 start:=time.Now()
 r,err:=Run(context.Background(),Config{Study:prefer.Config{Space:prefer.Box(prefer.Float("a",0,1),prefer.Float("b",0,1),prefer.LogFloat("c",1,100))},MaxQuestions:40,Noise:[]Noise{Prior,Low,High}})
 if err!=nil{t.Fatal(err)}
 for _,l:=range r.Levels{t.Log(l.Sentence(5*time.Second)); t.Logf("%+v",l.Summary)}
 t.Log(time.Since(start))
}
