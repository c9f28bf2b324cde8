/* What every module over vaa's border shares: the typemaps of the target language, and the types that have them. Nothing here names a function. */
%include <stdint.i>
#define VAA_API
%nodefaultctor;
%nodefaultdtor;

/* Views and small records cross by the typemaps alone: no class is made of them. */
%ignore vaa_str;
%ignore vaa_ids;
%ignore vaa_i64s;
%ignore vaa_u8s;
%ignore vaa_f32s;
%ignore vaa_f64s;
%ignore vaa_f32_rows;
%ignore vaa_f64_rows;
%ignore vaa_ids_out;
%ignore vaa_i64s_out;
%ignore vaa_u8s_out;
%ignore vaa_f32s_out;
%ignore vaa_f64s_out;
%ignore vaa_f32_rows_out;
%ignore vaa_f64_rows_out;
%ignore vaa_finding;
%ignore vaa_findings;
%ignore vaa_divergence;
%ignore vaa_prompt_difference;

#ifdef SWIGPYTHON
%include "python/python_types.i"
#endif
#ifdef SWIGGO
%include "go/go_types.i"
#endif
