// Frequent small words of languages written in Latin letters, in lower case (capitals beyond ASCII are not folded), without those of one
// letter, which are variables in code.
#include "quality/languages.h"

namespace vaa {

// In the order of enum Language.
const StopWords kStopWords[kLanguages] = {
    {"en", "the of and to in is that it for was on are as with his they at be this from have or by one had not but what all were when we there can an your which their said if do will each about how up out them then she many some so these would other into has more her two like him see time could no make than my over such only"},
    {"es", "el la los las de que en un una por con para se del al lo como más pero sus le ya este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante todos uno les ni contra otros ese eso ante ellos esto mí antes algunos qué unos yo otro otras otra él tanto esa estos mucho nada son su es era fue"},
    {"fr", "le la les de des du un une et il elle être ne je son que se qui ce dans en au aux avoir pour pas sur plus par avec tout faire mais nous vous ou leur si dire cette est sont était ces mes tes ses mon ton sa ma comme où quand même aussi bien sans peut donc qu"},
    {"de", "der die das und in den von zu mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei ihr ihre wir ich wenn kann dann unter keine hier alle"},
    {"pt", "os as de que do da em um uma para com não no na por mais dos das como mas foi ao ele ela se tem seu sua ou ser quando muito há nos já está eu também só pelo pela até isso entre era depois sem mesmo aos ter seus quem nas me esse eles estão você tinha foram essa num nem suas meu minha às"},
    {"it", "il lo la gli le di che un una per in con non si da del della dei delle nel nella al alla ai sono come anche più ma ha se su dal dalla ci questo questa quando era essere quello loro suo sua hanno molto tra fra tutto tutti dopo prima così dove chi cui ogni"},
    {"nl", "de het een en van in is dat op te zijn met voor niet die aan er ook als maar om dan of bij nog uit door over naar ze hij wordt werd heeft hebben kan zich tot deze dit was wat ik je we wij meer geen veel al moet worden haar hun zo onder na"},
    {"sv", "och att det som en på är av för med den till inte om ett han var de jag sig från vi så kan men hade när har man skulle där eller sin hon nu också över vid efter mycket ska blir ut upp under mot utan än alla deras detta"},
    {"da", "og at det er en til på som af for med den de ikke der et han var jeg om fra har vi kan sig men når havde skal ud op eller hun nu efter ved over mange så være blev hvor også deres dette kun mod uden blive"},
    {"pl", "na do że się nie jest to jak po co przez od dla za są przy ale tym może czy był tak ich jego oraz już być tego który która które tylko ze też gdy było bardzo jej ma nas lub ten ta pod można więc"},
    {"tr", "ve bir bu da de için ile çok daha en gibi olarak ne olan sonra kadar var ama her ki mi değil ise şey ya veya olduğu diye oldu nasıl ben biz sen onun göre ancak bütün hem tarafından"},
    {"id", "yang dan di dengan untuk dari ini itu dalam tidak pada adalah akan ke juga oleh atau ada sebagai dapat saya mereka bisa karena telah lebih kita kami sudah anda tersebut bahwa seperti antara serta para saat hanya harus"},
    {"vi", "và của là có cho không các được trong một những với để người này đã từ đến khi về như cũng tại còn ra theo nhiều sẽ phải vào đó hay bị rất nếu trên nhưng thì lại mà năm do sau"},
    {"ro", "și în de la cu pe nu este un să din care pentru mai fi ce se au al ale sunt dar ca sau cum prin după fost lui era acest această când foarte dacă până între fără îi sa"},
    {"cs", "se na je že to do ve pro za by ale si po jako tak jsem jsou bylo byl který která které když od už nebo jen při až jeho také není být aby než má podle tento této"},
};

}  // namespace vaa
