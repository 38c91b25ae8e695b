#include "engine/function_list.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_map>
#include <unordered_set>

#include "duckdb/common/string_util.hpp"

namespace stele {
namespace {

// DuckDB 1.4.4 with core_functions, icu, json and parquet: duckdb_functions() and the window functions of its parser.
// Left out on purpose: settings and names (current_setting, current_database, version, getenv, pg_*, has_*_privilege),
// state (nextval, setseed, getvariable, write_log, stats), SQL as data (json_serialize_sql, json_deserialize_sql),
// states of aggregates as bytes (combine, finalize), and the engine's own (__internal_*, create_sort_key,
// remap_struct).
constexpr std::string_view allowed_functions[] = {
    // Operators
    "!__postfix", "!~~", "!~~*", "%", "&", "&&", "*", "**", "+", "-", "->", "->>", "/", "//", "<->", "<<", "<=>", "<@",
    ">>", "@", "@>", "^", "^@", "|", "||", "~", "~~", "~~*", "~~~", "ilike_escape", "like_escape", "not_ilike_escape",
    "not_like_escape", "xor",
    // Numbers
    "abs", "acos", "acosh", "add", "asin", "asinh", "atan", "atan2", "atanh", "bit_count", "cbrt", "ceil", "ceiling",
    "cos", "cosh", "cot", "degrees", "divide", "even", "exp", "factorial", "fdiv", "floor", "fmod", "gamma", "gcd",
    "greatest_common_divisor", "isfinite", "isinf", "isnan", "lcm", "least_common_multiple", "lgamma", "ln", "log",
    "log10", "log2", "mod", "multiply", "nextafter", "pi", "pow", "power", "radians", "round", "round_even",
    "roundbankers", "sign", "signbit", "sin", "sinh", "sqrt", "subtract", "tan", "tanh", "trunc",
    // Text
    "array_to_string", "array_to_string_comma_default", "ascii", "bar", "base64", "bin", "bit_length", "char_length",
    "character_length", "chr", "concat", "concat_ws", "contains", "damerau_levenshtein", "decode", "editdist3",
    "encode", "ends_with", "format", "format_bytes", "formatreadabledecimalsize", "formatreadablesize", "from_base64",
    "from_binary", "from_hex", "hamming", "hex", "instr", "jaccard", "jaro_similarity", "jaro_winkler_similarity",
    "lcase", "left", "left_grapheme", "len", "length", "length_grapheme", "levenshtein", "lower", "lpad", "ltrim",
    "mismatches", "nfc_normalize", "octet_length", "ord", "parse_dirname", "parse_dirpath", "parse_filename",
    "parse_path", "position", "prefix", "printf", "regexp_escape", "regexp_extract", "regexp_extract_all",
    "regexp_full_match", "regexp_matches", "regexp_replace", "regexp_split_to_array", "regexp_split_to_table", "repeat",
    "replace", "reverse", "right", "right_grapheme", "rpad", "rtrim", "split", "split_part", "starts_with", "str_split",
    "str_split_regex", "string_split", "string_split_regex", "string_to_array", "strip_accents", "strlen", "strpos",
    "substr", "substring", "substring_grapheme", "suffix", "to_base", "to_base64", "to_binary", "to_hex", "translate",
    "trim", "ucase", "unbin", "unhex", "unicode", "upper", "url_decode", "url_encode",
    // Bits and digests
    "bit_position", "bitstring", "get_bit", "hash", "md5", "md5_number", "md5_number_lower", "md5_number_upper",
    "set_bit", "sha1", "sha256",
    // Dates and times
    "age", "century", "date_add", "date_diff", "date_part", "date_sub", "date_trunc", "datediff", "datepart", "datesub",
    "datetrunc", "day", "dayname", "dayofmonth", "dayofweek", "dayofyear", "decade", "epoch", "epoch_ms", "epoch_ns",
    "epoch_us", "era", "hour", "isodow", "isoyear", "julian", "last_day", "make_date", "make_time", "make_timestamp",
    "make_timestamp_ms", "make_timestamp_ns", "make_timestamptz", "microsecond", "millennium", "millisecond", "minute",
    "month", "monthname", "nanosecond", "normalized_interval", "quarter", "second", "strftime", "strptime",
    "time_bucket", "timezone", "timezone_hour", "timezone_minute", "to_centuries", "to_days", "to_decades", "to_hours",
    "to_microseconds", "to_millennia", "to_milliseconds", "to_minutes", "to_months", "to_quarters", "to_seconds",
    "to_timestamp", "to_weeks", "to_years", "try_strptime", "week", "weekday", "weekofyear", "year", "yearweek",
    // Conditions and types
    "alias", "coalesce", "constant_or_null", "error", "greatest", "if", "ifnull", "least", "nullif", "pg_typeof",
    "typeof", "uuid_extract_timestamp", "uuid_extract_version",
    // Lists and arrays
    "aggregate", "apply", "array_aggr", "array_aggregate", "array_append", "array_apply", "array_cat", "array_concat",
    "array_contains", "array_cosine_distance", "array_cosine_similarity", "array_cross_product", "array_distance",
    "array_distinct", "array_dot_product", "array_extract", "array_filter", "array_grade_up", "array_has",
    "array_has_all", "array_has_any", "array_indexof", "array_inner_product", "array_intersect", "array_length",
    "array_negative_dot_product", "array_negative_inner_product", "array_pop_back", "array_pop_front", "array_position",
    "array_prepend", "array_push_back", "array_push_front", "array_reduce", "array_resize", "array_reverse",
    "array_reverse_sort", "array_select", "array_slice", "array_sort", "array_transform", "array_unique", "array_value",
    "array_where", "array_zip", "filter", "flatten", "generate_series", "generate_subscripts", "grade_up", "list_aggr",
    "list_aggregate", "list_any_value", "list_append", "list_apply", "list_approx_count_distinct", "list_avg",
    "list_bit_and", "list_bit_or", "list_bit_xor", "list_bool_and", "list_bool_or", "list_cat", "list_concat",
    "list_contains", "list_cosine_distance", "list_cosine_similarity", "list_count", "list_distance", "list_distinct",
    "list_dot_product", "list_element", "list_entropy", "list_extract", "list_filter", "list_first", "list_grade_up",
    "list_has", "list_has_all", "list_has_any", "list_histogram", "list_indexof", "list_inner_product",
    "list_intersect", "list_kurtosis", "list_kurtosis_pop", "list_last", "list_mad", "list_max", "list_median",
    "list_min", "list_mode", "list_negative_dot_product", "list_negative_inner_product", "list_pack", "list_position",
    "list_prepend", "list_product", "list_reduce", "list_resize", "list_reverse", "list_reverse_sort", "list_select",
    "list_sem", "list_skewness", "list_slice", "list_sort", "list_stddev_pop", "list_stddev_samp", "list_string_agg",
    "list_sum", "list_transform", "list_unique", "list_value", "list_var_pop", "list_var_samp", "list_where",
    "list_zip", "range", "reduce", "unnest", "unpivot_list",
    // Structs, maps, unions, enums
    "cardinality", "element_at", "enum_code", "enum_first", "enum_last", "enum_range", "enum_range_boundary", "map",
    "map_concat", "map_contains", "map_contains_entry", "map_contains_value", "map_entries", "map_extract",
    "map_extract_value", "map_from_entries", "map_keys", "map_values", "row", "struct_concat", "struct_contains",
    "struct_extract", "struct_extract_at", "struct_has", "struct_indexof", "struct_insert", "struct_pack",
    "struct_position", "struct_update", "union_extract", "union_tag", "union_value",
    // JSON
    "array_to_json", "from_json", "from_json_strict", "json", "json_array", "json_array_length", "json_contains",
    "json_exists", "json_extract", "json_extract_path", "json_extract_path_text", "json_extract_string",
    "json_group_array", "json_group_object", "json_group_structure", "json_keys", "json_merge_patch", "json_object",
    "json_pretty", "json_quote", "json_structure", "json_transform", "json_transform_strict", "json_type", "json_valid",
    "json_value", "row_to_json", "to_json",
    // Aggregates
    "any_value", "approx_count_distinct", "approx_quantile", "approx_top_k", "arbitrary", "arg_max", "arg_max_null",
    "arg_min", "arg_min_null", "argmax", "argmin", "array_agg", "avg", "bit_and", "bit_or", "bit_xor", "bitstring_agg",
    "bool_and", "bool_or", "corr", "count", "count_if", "count_star", "countif", "covar_pop", "covar_samp", "entropy",
    "equi_width_bins", "favg", "first", "fsum", "geomean", "geometric_mean", "group_concat", "histogram",
    "histogram_exact", "is_histogram_other_bin", "kahan_sum", "kurtosis", "kurtosis_pop", "last", "list", "listagg",
    "mad", "max", "max_by", "mean", "median", "min", "min_by", "mode", "product", "quantile", "quantile_cont",
    "quantile_disc", "regr_avgx", "regr_avgy", "regr_count", "regr_intercept", "regr_r2", "regr_slope", "regr_sxx",
    "regr_sxy", "regr_syy", "sem", "skewness", "stddev", "stddev_pop", "stddev_samp", "string_agg", "sum",
    "sum_no_overflow", "sumkahan", "var_pop", "var_samp", "variance", "wavg", "weighted_avg",
    // Windows
    "cume_dist", "dense_rank", "fill", "first_value", "lag", "last_value", "lead", "nth_value", "ntile", "percent_rank",
    "rank", "rank_dense", "row_number"};

constexpr std::string_view allowed_table_functions[] = {"generate_series", "json_each", "json_tree", "range", "unnest"};

const std::unordered_set<std::string_view>& function_set() {
  static const std::unordered_set<std::string_view> names(std::begin(allowed_functions), std::end(allowed_functions));
  return names;
}

constexpr const char* repeatable_random =
    "Use hash(column) for a repeatable order, or USING SAMPLE 10% (bernoulli, 42) for a repeatable sample.";

const std::unordered_map<std::string_view, const char*>& known_alternatives() {
  static const std::unordered_map<std::string_view, const char*> hints = {
      {"random", repeatable_random},
      {"setseed", repeatable_random},
      {"uuid", "Use md5(column) or row_number() OVER () for a repeatable identifier."},
      {"uuidv4", "Use md5(column) or row_number() OVER () for a repeatable identifier."},
      {"uuidv7", "Use md5(column) or row_number() OVER () for a repeatable identifier."},
      {"gen_random_uuid", "Use md5(column) or row_number() OVER () for a repeatable identifier."},
      {"reservoir_quantile", "Use quantile_cont or approx_quantile, which answer the same each time."},
  };
  return hints;
}

}  // namespace

bool is_allowed_function(std::string_view name) { return function_set().count(name) != 0; }

bool is_allowed_table_function(std::string_view name) {
  return std::find(std::begin(allowed_table_functions), std::end(allowed_table_functions), name) !=
         std::end(allowed_table_functions);
}

std::string instead_of_function(const std::string& name) {
  if (const auto known = known_alternatives().find(name); known != known_alternatives().end()) return known->second;
  duckdb::vector<std::string> names;
  for (const std::string_view allowed : allowed_functions) names.emplace_back(allowed);
  const auto nearest = duckdb::StringUtil::TopNLevenshtein(names, name, 1, 3);
  if (!nearest.empty()) return "The nearest that can be used is " + nearest.front() + ".";
  return "Functions of numbers, text, dates, lists, structs and JSON can be used, and aggregates and window functions.";
}

std::string instead_of_table_function(std::string_view name) {
  if (name == "histogram" || name == "histogram_values") return "Use the aggregate histogram(column).";
  if (name == "summary") return "describe_table answers the profile of each column.";
  return "In FROM stand tables, named by path in double quotes, subqueries, and range, generate_series, unnest, "
         "json_each "
         "and json_tree. import_table brings a file in.";
}

}  // namespace stele
