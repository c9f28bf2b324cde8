package vaa

import "github.com/vaa-eval/vaa-go/internal/cvaa"

// Field names a field of a Sample. The hundreds give its type.
type Field int32

// String is the name in a record, such as "output.text".
func (f Field) String() string { return cvaa.Text(cvaa.VaaFieldName(int32(f))) }

// The fields of vaa/sample.h, where each is described.
const (
	// text: SetText, Text
	FieldID              Field = 100
	FieldDataset         Field = 101
	FieldModel           Field = 102
	FieldPromptText      Field = 103
	FieldPromptMessages  Field = 104
	FieldOutputText      Field = 105
	FieldOutputReasoning Field = 106
	FieldFinishReason    Field = 107
	FieldStopReason      Field = 108
	FieldIDsProvenance   Field = 109
	FieldForcedOf        Field = 110
	FieldSeed            Field = 111
	FieldLogprobsMode    Field = 112
	FieldScoreMetric     Field = 113
	FieldScoreGold       Field = 114
	FieldScoreExtracted  Field = 115
	FieldEndpoint        Field = 116
	FieldReplica         Field = 117
	FieldRequestID       Field = 118
	FieldErrorMessage    Field = 119
	FieldErrorType       Field = 120
	FieldStreamEnd       Field = 121
	FieldExtra           Field = 122
	FieldSourceFormat    Field = 123
	FieldSourceFile      Field = 124
	FieldToolCalls       Field = 125

	// integers: SetInt, Int
	FieldRepeat                Field = 200
	FieldTopK                  Field = 201
	FieldMaxTokens             Field = 202
	FieldIgnoreEOS             Field = 203
	FieldPromptTokens          Field = 204
	FieldCompletionTokens      Field = 205
	FieldReasoningTokens       Field = 206
	FieldCachedTokens          Field = 207
	FieldScoreCorrect          Field = 208
	FieldRank                  Field = 209
	FieldPreemptions           Field = 210
	FieldSpecSteps             Field = 211
	FieldSpecDraftTokens       Field = 212
	FieldSpecAcceptedTokens    Field = 213
	FieldErrorStatus           Field = 214
	FieldSourceLine            Field = 215
	FieldIDsIncludeStop        Field = 216
	FieldForcedFrom            Field = 217
	FieldScoreExtractionFailed Field = 218

	// real numbers: SetFloat, Float
	FieldTemperature       Field = 300
	FieldTopP              Field = 301
	FieldMinP              Field = 302
	FieldRepetitionPenalty Field = 303
	FieldPresencePenalty   Field = 304
	FieldFrequencyPenalty  Field = 305
	FieldScoreValue        Field = 306
	FieldStartS            Field = 307
	FieldEndS              Field = 308
	FieldTTFTS             Field = 309
	FieldE2ES              Field = 310

	// token ids: SetIDs, IDs
	FieldPromptTokenIDs Field = 400
	FieldOutputTokenIDs Field = 401
	FieldPromptTopIDs   Field = 402
	FieldOutputTopIDs   Field = 403

	// reals: SetFloats, Floats
	FieldPromptLogprobs    Field = 500
	FieldOutputLogprobs    Field = 501
	FieldPromptTopLogprobs Field = 502
	FieldOutputTopLogprobs Field = 503

	// integers: SetInts, Ints
	FieldPromptTopEnds           Field = 600
	FieldOutputTopEnds           Field = 601
	FieldSpecAcceptedPerPosition Field = 602
)
