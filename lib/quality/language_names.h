// Whether a prompt has to do with a writing system or with translation, so that it may stand in the answer.
#pragma once
#include <cstdint>

#include "quality/languages.h"
#include "quality/prompt.h"

namespace vaa {

// The prompt holds letters of the group, names it or a language written in it, or speaks of languages, translation or encodings. Linear in the prompt; a prompt that is
// not recorded speaks of nothing.
bool prompt_speaks_of(Prompt& prompt, uint8_t group);
// It speaks of languages or translation as such, in English, Chinese or the large languages of Europe.
bool prompt_speaks_of_languages(Prompt& prompt);
// It names one of the large languages written in Latin letters.
bool prompt_names_latin(Prompt& prompt);
// It names the language, its speakers or their countries.
bool prompt_names(Prompt& prompt, Language language);
// It speaks of encodings, or holds mojibake itself.
bool prompt_speaks_of_encodings(Prompt& prompt);
// It speaks of tokenizers, special tokens or chat templates, so that their tokens may be quoted.
bool prompt_speaks_of_tokens(Prompt& prompt);

}  // namespace vaa
