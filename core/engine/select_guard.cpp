#include "engine/select_guard.hpp"

#include <algorithm>
#include <new>
#include <unordered_set>

#include "base/error.hpp"
#include "duckdb/common/error_data.hpp"
#include "duckdb/parser/parsed_data/create_type_info.hpp"
#include "duckdb/parser/parser.hpp"
#include "duckdb/parser/statement/create_statement.hpp"
#include "duckdb/parser/statement/multi_statement.hpp"
#include "engine/select_walker.hpp"
#include "engine/sql_scan.hpp"

namespace stele {
namespace {

using duckdb::SQLStatement;
using duckdb::StatementType;
using Statements = duckdb::vector<duckdb::unique_ptr<SQLStatement>>;

// Levels of operators, joins and subqueries in one another. A chain of a thousand "+" plans for half a minute in
// WebAssembly.
constexpr duckdb::idx_t expression_depth_max = 200;

constexpr const char* list_name_prefix = "__pivot_enum_";  // as DuckDB's parser names the list of a PIVOT without IN

Error refused(std::string message, std::string hint) {
  return Error("sql_refused", std::move(message), std::move(hint));
}

// The text as the parser will see it: within bounds, valid, and with every Unicode space a plain one.
std::string plain_text(std::string_view sql, const Limits& limits) {
  if (sql.size() > limits.sql_bytes) {
    throw refused("The statement has " + std::to_string(sql.size()) + " bytes; at most " +
                      std::to_string(limits.sql_bytes) + " are run.",
                  "Put long lists of values into a table with write_table and join it.");
  }
  if (sql.find('\0') != std::string_view::npos || !duckdb::Value::StringIsValid(sql.data(), sql.size())) {
    throw Error("sql_error", "The statement is not valid UTF-8 text.", "Send the statement as text.");
  }
  std::string text(sql);
  std::string stripped;
  while (duckdb::Parser::StripUnicodeSpaces(text, stripped)) text = std::move(stripped);
  return text;
}

Error too_deep() {
  return refused("The statement nests operators, joins or subqueries more than " +
                     std::to_string(expression_depth_max) + " deep, which is not run here.",
                 "Use IN (…) or a list instead of a long chain, and WITH instead of nesting.");
}

Error parse_error(const std::exception& failure, const std::string& text) {
  duckdb::ErrorData error(failure);
  const std::string& raw = error.RawMessage();
  if (raw.find("expression depth limit") != std::string::npos || raw.find("memory exhausted") != std::string::npos) {
    return too_deep();
  }
  error.AddErrorLocation(text);
  return Error("sql_error", error.Message(), "Correct the statement; it is one SELECT in DuckDB's SQL.");
}

Statements parse(const std::string& text) {
  duckdb::ParserOptions options;
  options.max_expression_depth = expression_depth_max;
  duckdb::Parser parser(options);
  try {
    parser.ParseQuery(text);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& failure) {
    throw parse_error(failure, text);
  }
  return std::move(parser.statements);
}

const char* instead_of_statement(StatementType type) {
  switch (type) {
    case StatementType::INSERT_STATEMENT:
    case StatementType::UPDATE_STATEMENT:
    case StatementType::DELETE_STATEMENT:
    case StatementType::MERGE_INTO_STATEMENT:
      return "Only SELECT is run here; write_table changes rows.";
    case StatementType::CREATE_STATEMENT:
      return "Only SELECT is run here; query with save_as makes a table of a result.";
    case StatementType::DROP_STATEMENT:
      return "Only SELECT is run here; delete_table moves a table to the trash.";
    case StatementType::COPY_STATEMENT:
      return "Only SELECT is run here; import_table brings a file in, save_as saves a result.";
    default:
      return "Only SELECT is run here, which may begin with WITH, FROM, VALUES, PIVOT or DESCRIBE.";
  }
}

Error not_a_select(StatementType type) {
  return refused("This is a " + duckdb::StatementTypeToString(type) + " statement.", instead_of_statement(type));
}

// A list that a PIVOT takes from the data, as the parser split it off.
struct PivotList {
  std::string name;
  duckdb::unique_ptr<duckdb::SelectStatement> query;
};

duckdb::unique_ptr<duckdb::SelectStatement> as_select(duckdb::unique_ptr<SQLStatement> statement) {
  if (statement->type != StatementType::SELECT_STATEMENT) throw not_a_select(statement->type);
  return duckdb::unique_ptr_cast<SQLStatement, duckdb::SelectStatement>(std::move(statement));
}

PivotList as_pivot_list(SQLStatement& statement) {
  if (statement.type != StatementType::CREATE_STATEMENT) throw not_a_select(statement.type);
  auto& info = *statement.Cast<duckdb::CreateStatement>().info;
  if (info.type != duckdb::CatalogType::TYPE_ENTRY) throw not_a_select(statement.type);
  auto& type = info.Cast<duckdb::CreateTypeInfo>();
  if (type.name.rfind(list_name_prefix, 0) != 0 || !type.query) throw not_a_select(statement.type);
  return {type.name, as_select(std::move(type.query))};
}

struct ParsedSelect {
  duckdb::unique_ptr<duckdb::SelectStatement> statement;
  std::vector<PivotList> lists;
};

// The one SELECT that the text holds, with the lists of its PIVOTs: those make several statements of one to DuckDB.
ParsedSelect one_select(Statements statements) {
  if (statements.empty()) throw refused("There is no statement.", "Send one SELECT.");
  if (statements.size() > 1) {
    throw refused("There are " + std::to_string(statements.size()) + " statements; exactly one SELECT is run.",
                  "Send one SELECT a call; WITH names intermediate results.");
  }
  ParsedSelect parsed;
  if (statements[0]->type != StatementType::MULTI_STATEMENT) {
    parsed.statement = as_select(std::move(statements[0]));
    return parsed;
  }
  auto& parts = statements[0]->Cast<duckdb::MultiStatement>().statements;
  if (parts.empty()) throw not_a_select(StatementType::MULTI_STATEMENT);
  parsed.statement = as_select(std::move(parts.back()));
  parts.pop_back();
  for (auto& part : parts) parsed.lists.push_back(as_pivot_list(*part));
  return parsed;
}

// Ties each place that names a list to the query that makes it. A name that no query makes is an enum of the catalogue.
void tie_lists(const std::vector<PivotPlace>& places, const std::vector<PivotList>& lists,
               std::vector<PivotValueQuery>& queries) {
  for (const PivotPlace& place : places) {
    const auto list =
        std::find_if(lists.begin(), lists.end(), [&](const auto& each) { return each.name == place.list_name; });
    if (list == lists.end()) {
      throw refused("PIVOT takes its values from a list or from the data, not from a type.",
                    "Write PIVOT … ON column IN ('a', 'b'), or leave IN out.");
    }
    queries[static_cast<std::size_t>(list - lists.begin())].columns.push_back(place.column);
  }
}

}  // namespace

GuardedStatement guard_select(std::string_view sql, const Limits& limits, std::int64_t now_ms) {
  const std::string text = plain_text(sql, limits);
  check_before_parsing(text);
  ParsedSelect parsed = one_select(parse(text));

  SelectWalker walker(text, now_ms);
  walker.walk(*parsed.statement->node);
  for (auto& list : parsed.lists) walker.walk(*list.query->node);

  GuardedStatement guarded;
  guarded.statement = std::move(parsed.statement);
  guarded.value_queries.resize(parsed.lists.size());
  tie_lists(walker.pivots(), parsed.lists, guarded.value_queries);
  for (std::size_t i = 0; i < parsed.lists.size(); ++i) {
    guarded.value_queries[i].statement = std::move(parsed.lists[i].query);
  }
  guarded.tables = std::move(walker.tables());
  return guarded;
}

void put_values(PivotValueQuery& query, const std::vector<std::string>& values) {
  std::unordered_set<std::string> seen;
  std::vector<duckdb::PivotColumnEntry> entries;
  for (const std::string& value : values) {
    if (!seen.insert(value).second) continue;
    duckdb::PivotColumnEntry entry;
    entry.values.emplace_back(value);
    entry.alias = value;
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) {
    throw refused("PIVOT found no values to make columns of.", "Name the columns: PIVOT … ON column IN ('a', 'b').");
  }
  if (entries.size() > pivot_values_max) {
    throw refused("PIVOT would make " + std::to_string(entries.size()) + " columns; at most " +
                      std::to_string(pivot_values_max) + " are made.",
                  "Name the columns: PIVOT … ON column IN ('a', 'b').");
  }
  for (duckdb::PivotColumn* column : query.columns) {
    column->pivot_enum.clear();
    column->entries.clear();
    for (const auto& entry : entries) column->entries.push_back(entry.Copy());
  }
}

}  // namespace stele
