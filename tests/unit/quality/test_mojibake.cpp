// The wrong readings of GBK, Shift-JIS, Windows-1251 and KOI8-R below were made with Python's codecs; those of Latin-1 are a formula.
#include "judging.h"
#include "text/utf8.h"

using namespace vaa;
using judging::Given;

namespace {

std::string as_latin1(std::string_view text) {
  std::string out;
  for (const char c : text) utf8_append(&out, static_cast<unsigned char>(c));
  return out;
}

const std::string kRussian = "Зимой река замерзала почти до самого дна, и дети ходили по льду в школу.";
const std::string kChinese = "泡茶先要看水。山泉最好，其次是干净的自来水，放一放再烧。";
const std::string kFrench = "Où était-ce, déjà ? Là-bas, près du théâtre, l'élève zélé a rêvé d'un été à Angoulême.";

}  // namespace

TEST_CASE("mojibake: UTF-8 read as Latin-1", "[quality]") {
  for (const std::string& text : {kRussian, kChinese, kFrench}) {
    const auto said = Given().text(as_latin1(text)).judge();
    REQUIRE(said.failing("mojibake"));
    CHECK(said.first("mojibake").measure >= 0.6);
    CHECK(std::string_view(said.first("mojibake").reason) == "read_as_windows_1252");
  }
  const auto said = Given().text("Then: " + as_latin1("приём")).judge();
  CHECK(said.first("mojibake").onset_byte == 6);
  CHECK(said.first("mojibake").length_chars == 10);
  CHECK(said.first("mojibake").count == 5);
  CHECK(said.first("mojibake").measure == 1.0);
}

TEST_CASE("mojibake: encoded twice more", "[quality]") { CHECK(Given().text(as_latin1(as_latin1(kFrench))).judge().failing("mojibake")); }

TEST_CASE("mojibake: quotation marks of English as Windows-1252", "[quality]") {
  CHECK(Given().text("I donâ€™t know, he said â€œmaybeâ€\xC2\x9D and left.").judge().failing("mojibake"));
}

TEST_CASE("mojibake: other encodings", "[quality]") {
  const auto reason = [](std::string_view text) { return std::string_view(Given().text(text).judge().first("mojibake").reason); };
  CHECK(reason("娉¤尪鍏堣\xEF\xBF\xBD佺湅姘淬\xEF\xBF\xBD傚北娉夋渶濂斤紝鍏舵\xEF\xBF\xBD℃槸骞插噣鐨勮嚜鏉ユ按锛屾斁涓\xEF\xBF\xBD鏀惧啀鐑с\xEF\xBF\xBD\xEF\xBF\xBD") == "read_as_gbk");
  CHECK(reason("O霉 茅tait-ce, d茅j脿 ? L脿-bas, pr猫s du th茅芒tre, l'茅l猫ve z茅l茅") == "read_as_gbk");
  CHECK(reason("锟斤拷锟斤拷锟斤拷") == "read_as_gbk");
  CHECK(reason("譏･縺ｫ縺ｪ繧九→蟾昴\xEF\xBF\xBD豌ｴ縺後ｆ繧九∩縲∝ｭ舌←繧ゅ◆縺｡縺ｯ蟄ｦ譬｡縺ｸ陦後￥驕薙〒闃ｱ繧呈遭繧薙□縲\xEF\xBF\xBD") == "read_as_shift_jis");
  CHECK(reason("Р—РёРјРѕР№ СЂРµРєР° Р·Р°РјРµСЂР·Р°Р»Р° РїРѕС‡С‚Рё РґРѕ СЃР°РјРѕРіРѕ РґРЅР°") == "read_as_windows_1251");
  CHECK(reason("п≈п╦п╪п╬п╧ я─п╣п╨п╟ п╥п╟п╪п╣я─п╥п╟п╩п╟ п©п╬я┤я┌п╦") == "read_as_koi8");
}

TEST_CASE("mojibake: a piece of it in a healthy text of the same letters", "[quality]") {
  const std::string before = judging::times(kFrench + " ", 6);
  const auto said = Given().text(before + as_latin1(kRussian) + " " + before).judge();
  REQUIRE(said.failing("mojibake"));
  CHECK(said.first("mojibake").onset_byte == static_cast<int64_t>(before.size()));
  CHECK(said.first("mojibake").length_bytes == static_cast<int64_t>(as_latin1(kRussian).size() - 1));  // up to the full stop
}

TEST_CASE("mojibake: healthy texts are none", "[quality]") {
  for (const std::string& text : {kRussian, kChinese, kFrench, std::string("German: „Text“, French: « texte », Polish: „tekst”, »tekst«, „Spaß“, „Gruß“, CAFÉ», NÃO, Åš"), std::string("小学生在学校学习写字，校训写得小而秀雅，薛先生训小学生。"),
                                  std::string("ｱｲｳｴｵ ｶﾀｶﾅ と ひらがな、漢字"), std::string("Ñandú, ÀÉÎÕÜ, ÐÞ ðþ, Ærø")})
    CHECK(Given().text(text).judge().clear("mojibake"));
}

TEST_CASE("mojibake: code is passed over, and a talk of encodings asked for it", "[quality]") {
  CHECK(Given().text("It shows as `" + as_latin1(kRussian) + "` there.").judge().clear("mojibake"));
  const auto said = Given().prompt("What is mojibake?").text(as_latin1(kRussian)).judge();
  CHECK(said.found("mojibake"));
  CHECK_FALSE(said.alarm("mojibake"));
  CHECK(Given().ids({1}).judge().unknown("mojibake"));
}
