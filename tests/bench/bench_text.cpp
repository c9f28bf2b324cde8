#include "bench_text.h"

#include <cmath>
#include <iterator>
#include <span>

namespace {

// By frequency: a word of rank r comes about 1/r as often as the first (Zipf).
constexpr const char* kWords[] = {
    "the", "of", "and", "to", "a", "in", "is", "that", "for", "it", "as", "with", "on", "be", "by", "this", "are", "from", "at", "or", "an", "which", "can", "have", "not", "we", "one",
    "their", "has", "more", "when", "will", "each", "these", "so", "they", "its", "into", "than", "other", "if", "our", "but", "time", "may", "first", "also", "water", "people", "number",
    "work", "system", "between", "example", "process", "value", "small", "energy", "because", "through", "should", "where", "same", "different", "light", "during", "important", "result",
    "large", "change", "form", "before", "model", "point", "level", "country", "answer", "method", "temperature", "measure", "question", "pressure", "several", "surface", "history",
    "develop", "problem", "possible", "structure", "following", "century", "provide", "consider", "growth", "language", "material", "general", "required", "reduce", "usually", "increase",
    "position", "effect", "region", "contain", "produce", "particular", "simple", "function", "follow", "against", "include", "government", "community", "describe", "environment",
    "available", "market", "beginning", "considerable", "direction", "explain", "circumference", "garden", "northern", "distance", "experiment", "equation", "instruments", "harbour",
    "probably", "musical", "solution", "agriculture", "remember", "beautiful", "philosophy", "capacity", "electrical", "reasonable", "mountain", "translate", "weather", "architecture"};
constexpr const char* kHan[] = {
    "的", "一", "是", "不", "了", "在", "人", "有", "我", "他", "这", "个", "们", "中", "来", "上", "大", "为", "和", "国", "地", "到", "以", "说", "时", "要", "就", "出", "会", "可", "也", "你",
    "对", "生", "能", "而", "子", "那", "得", "于", "着", "下", "自", "之", "年", "过", "发", "后", "作", "里", "用", "道", "行", "所", "然", "家", "种", "事", "成", "方", "多", "经", "么", "去",
    "法", "学", "如", "都", "同", "现", "当", "没", "动", "面", "起", "看", "定", "天", "分", "还", "进", "好", "小", "部", "其", "些", "主", "样", "理", "心", "她", "本", "前", "开", "但", "因",
    "只", "从", "想", "实", "日", "军", "者", "意", "无", "力", "它", "与", "长", "把", "机", "十", "民", "第", "公", "此", "已", "工", "使", "情", "明", "性", "知", "全", "三", "又", "关", "点",
    "正", "业", "外", "将", "两", "高", "间", "由", "问", "很", "最", "重", "并", "物", "手", "应", "战", "向", "头", "文", "体", "政", "美", "相", "见", "被", "利", "什", "二", "等", "产", "或",
    "新", "己", "制", "身", "果", "加", "西", "斯", "月", "话", "合", "回", "特", "代", "内", "信", "表", "化", "老", "给", "世", "位", "次", "度", "门", "任", "常", "先", "海", "通", "教", "儿"};

const char* draw(std::mt19937_64& random, std::span<const char* const> by_frequency) {
  const double share = static_cast<double>(random() >> 11) * 0x1p-53;
  const auto rank = static_cast<size_t>(std::pow(static_cast<double>(by_frequency.size() + 1), share)) - 1;
  return by_frequency[rank < by_frequency.size() ? rank : 0];
}

}  // namespace

std::string english_prose(std::mt19937_64& random, size_t bytes) {
  std::string text;
  text.reserve(bytes + 32);
  for (size_t left = 0; text.size() < bytes || left > 0;) {
    const bool begins = left == 0;
    if (begins) left = 6 + random() % 24;
    const size_t at = text.size();
    text += draw(random, kWords);
    if (begins) text[at] = static_cast<char>(text[at] - 32);
    if (--left == 0) text += random() % 6 == 0 ? ".\n\n" : ". ";
    else text += random() % 12 == 0 ? ", " : " ";
  }
  return text;
}

std::string chinese_prose(std::mt19937_64& random, size_t bytes) {
  std::string text;
  text.reserve(bytes + 32);
  while (text.size() < bytes) {
    for (size_t left = 4 + random() % 12; left > 0; --left) text += draw(random, kHan);
    text += text.size() < bytes && random() % 3 ? "，" : random() % 5 ? "。" : "。\n\n";
  }
  return text;
}
