#include "quality/language_names.h"

#include <algorithm>
#include <iterator>

#include "text/script_groups.h"
#include "text/unicode.h"
#include "text/utf8.h"

namespace vaa {
namespace {

// In lower case; a name matches at the beginning of a word ("chin" would match "Chinese" and "China").
constexpr std::string_view kGeneral[] = {"translat", "language", "bilingual", "multilingual", "polyglot", "unicode", "utf-8", "alphabet", "traduc", "traduis", "traduire", "tradui",
                                         "übersetz", "sprache", "перевед", "перевод", "язык", "翻译", "翻譯", "语言", "語言", "译成", "譯成", "双语", "外语", "翻訳", "번역"};
constexpr std::string_view kEncodings[] = {"mojibake", "encod", "charset", "utf-8", "utf8", "latin-1", "iso-8859", "cp1252", "gbk", "shift-jis", "garbled", "kodier", "кодиров", "乱码", "亂碼", "编码",
                                           "編碼", "文字化け", "文字コード", "锟斤拷", "Ã", "â€"};
struct Names {
  uint8_t group;
  std::string_view names[14];
};
constexpr Names kNames[] = {
    {script::kHan, {"chin", "mandarin", "cantonese", "taiwan", "japan", "hanzi", "kanji", "kana", "pinyin", "hiragana", "中文", "汉", "漢", "日"}},
    {script::kHangul, {"korea", "hangul", "hangeul", "k-pop", "韩", "韓", "朝鲜", "한국", "coré", "core"}},
    {script::kCyrillic, {"russia", "ukrain", "bulgaria", "serbia", "cyrillic", "slavic", "belarus", "mongol", "soviet", "俄", "乌克兰", "russ", "kazakh", "macedoni"}},
    {script::kArabic, {"arab", "persia", "farsi", "iran", "urdu", "islam", "quran", "koran", "muslim", "阿拉伯", "波斯", "pakist", "pashto", "egypt"}},
    {script::kHebrew, {"hebrew", "jewish", "israel", "yiddish", "torah", "bibl", "希伯来", "judai", "hebr"}},
    {script::kThai, {"thai", "泰", "siam"}},
    {script::kDevanagari, {"hindi", "india", "sanskrit", "nepal", "marathi", "devanagari", "yoga", "印", "梵", "hindu", "buddh"}},
    {script::kGreek, {"greek", "greece", "希腊", "grec", "griech"}},
    {script::kArmenian, {"armenia"}},
    {script::kGeorgian, {"georgia"}},
    {script::kEthiopic, {"ethiopia", "amharic", "tigrinya"}},
};

// In the order of enum Language.
constexpr std::string_view kLanguageNames[kLanguages][8] = {
    {"english", "anglais", "inglés", "ingles", "englisch", "engels", "英"},
    {"spanish", "spain", "españ", "espan", "mexic", "castellan", "hispan", "西班牙"},
    {"french", "france", "français", "francais", "quebec", "法语", "法文", "法国"},
    {"german", "deutsch", "allemand", "austria", "swiss", "德语", "德文", "德国"},
    {"portug", "brazil", "brasil", "葡萄牙", "巴西"},
    {"italian", "italy", "italie", "opera", "意大利"},
    {"dutch", "netherland", "nederland", "flemish", "belgi", "荷兰"},
    {"swed", "svensk", "瑞典"},
    {"danish", "denmark", "dansk", "丹麦"},
    {"polish", "poland", "polsk", "波兰"},
    {"turk", "türk", "土耳其"},
    {"indonesia", "malay", "bahasa", "印尼"},
    {"vietnam", "việt", "越南"},
    {"romania", "român", "罗马尼亚"},
    {"czech", "česk", "slovak", "捷克"},
};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }
bool is_ascii_letter(char c) { return static_cast<unsigned char>((c | 0x20) - 'a') < 26; }

bool has_name(std::string_view text, std::string_view name) {
  const bool ascii = static_cast<unsigned char>(name[0]) < 0x80;
  for (size_t at = 0; at + name.size() <= text.size(); ++at) {
    if (lower(text[at]) != name[0] || (ascii && at > 0 && is_ascii_letter(text[at - 1]))) continue;
    size_t i = 1;
    while (i < name.size() && lower(text[at + i]) == name[i]) ++i;
    if (i == name.size()) return true;
  }
  return false;
}
template <typename List>
bool has_any(std::string_view text, const List& names) {
  return std::any_of(std::begin(names), std::end(names), [&](std::string_view name) { return !name.empty() && has_name(text, name); });
}

bool has_letter(std::string_view text, uint8_t group) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Step step = utf8_step(text, at);
    if (step.valid && is_letter(step.code) && script::group_of_script(code_properties(step.code).script) == group) return true;
    at += step.size;
  }
  return false;
}

}  // namespace

bool prompt_speaks_of_languages(Prompt& prompt) { return has_any(prompt.text(), kGeneral); }

bool prompt_names_latin(Prompt& prompt) {
  constexpr std::string_view kLatin[] = {"英", "法语", "法文", "德语", "德文", "西班牙", "西语", "意大利", "葡萄牙", "越南", "拉丁", "english", "latin", "англий", "영어", "英語", "انجليزي", "إنجليزي", "อังกฤษ", "אנגלית"};
  return has_any(prompt.text(), kLatin);
}
bool prompt_names(Prompt& prompt, Language language) { return language != Language::kUnclear && has_any(prompt.text(), kLanguageNames[static_cast<size_t>(language)]); }
bool prompt_speaks_of_encodings(Prompt& prompt) { return has_any(prompt.text(), kEncodings); }
bool prompt_speaks_of_tokens(Prompt& prompt) {
  constexpr std::string_view kTokens[] = {"tokenizer", "tokeniser", "special token", "control token", "chat template", "chatml", "sentencepiece", "byte fallback", "分词器", "特殊标记", "特殊token", "特殊 token",
                                          "对话模板", "对话模板"};
  return has_any(prompt.text(), kTokens);
}

bool prompt_speaks_of(Prompt& prompt, uint8_t group) {
  if (!prompt.recorded()) return false;
  const std::string_view text = prompt.text();
  if (has_letter(text, group) || prompt_speaks_of_languages(prompt)) return true;
  return std::any_of(std::begin(kNames), std::end(kNames), [&](const Names& one) { return one.group == group && has_any(text, one.names); });
}

}  // namespace vaa
