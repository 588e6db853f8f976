"""Every bound on what is read, followed or shown has a name that starts with `MAX_` or `MIN_`."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

OTHER_PREFIXES = re.compile(
    r"_?(?:BIGGEST|BOUND|BUDGET|CAP|DEEPEST|LARGEST|LIMIT|LONGEST|MOST)(?:_|\Z)|\w+_(?:BUDGET|LIMIT|MAX)\Z"
)
ROOTS = [Path(__file__).parent.parent / root for root in ("linter/extlint", "rules/extlint_rules")]


CONSTANT = re.compile(r"^([A-Z_][A-Z0-9_]*)(?:: .+?)? = ", re.MULTILINE)
"""A definition at the start of a line, which is a module-level one."""


def misnamed_limits(text: str) -> Iterator[str]:
    return (name for name in CONSTANT.findall(text) if OTHER_PREFIXES.match(name))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MOST_STEPS = 3", ["MOST_STEPS"]),
        ("_DEEPEST: int = 3", ["_DEEPEST"]),
        ("DEPTH_LIMIT = 3", ["DEPTH_LIMIT"]),
        ("MAX_DEPTH = 3\n_MIN_SHARE = 0.5\nCAPTURE = 1\nmost = 3", []),
    ],
)
def test_misnamed_limits_are_found(text: str, expected: list[str]) -> None:
    assert list(misnamed_limits(text)) == expected


@pytest.mark.parametrize("root", ROOTS, ids=lambda root: str(root.name))
def test_limits_have_one_prefix(root: Path) -> None:
    found = {
        str(path.relative_to(root)): names
        for path in sorted(root.rglob("*.py"))
        if (names := list(misnamed_limits(path.read_text(encoding="utf-8"))))
    }
    assert found == {}


EXTERNAL = """
formats/host.py: MAX_PORT MAX_LENGTH
formats/shortcut.py: _MAX_PARTS
formats/version.py: MAX_NUMBERS MAX_DIGITS MAX_CHROME_NUMBER
json_text/reader.py: MAX_DEPTH _MAX_SAFE_DIGITS
matching/scalars.py: MAX_SAFE_INTEGER
package/zip_directory.py: _MAX_COMMENT_BYTES
processes/workers.py: MAX_WORKERS MAX_SECONDS_TO_END
serve/main.py: MAX_WAITING_CONNECTIONS
serve/nursery.py: MAX_FILES
serve/team.py: MAX_SECONDS_TO_SEND
reporter/github_output.py: MAX_ANNOTATIONS
reporter/markdown_output.py: MAX_CHARACTERS
request_rules/check.py: MAX_REGEX_RULES
request_rules/regex.py: MAX_REPEATS _MAX_MEMORY
request_rules/regex_errors.py: MAX_RE2_REPEATS
request_rules/rulesets.py: MAX_ENABLED
script/expressions/members.py: MAX_PATH_LENGTH
rules/unpublishable_version.py: MAX_NUMBER MAX_LOADED_NUMBER
"""
"""Limits of browsers, formats and systems: different behavior is correct beyond them, and is checked."""

REPORTED = """
checker.py: MAX_ROUNDS
checks/manifest_images.py: MAX_IMAGE_BYTES
configuration/source.py: MAX_CONFIG_BYTES MAX_DOTS
contexts/collector.py: MAX_PAGE_BYTES
contexts/layout.py: MAX_PATTERNS MAX_STARS
package/find.py: _MAX_START_BYTES
package/limits.py: MAX_FILES MAX_ENTRIES MAX_DEPTH MAX_LINKED_FILES MAX_LINKS MAX_FILE_BYTES MAX_ARCHIVE_BYTES
package/limits.py: MAX_LISTING_BYTES MAX_EXPANSION MAX_SNIFFED_BYTES
package/not_found.py: _MAX_CANDIDATES
permissions/older_manifest.py: MAX_MANIFEST_BYTES
program/delegated_uses.py: MAX_USES
program/searched_scripts.py: MAX_LARGE_SCRIPTS MAX_HAND_WRITTEN_BYTES
program/import_cycles.py: MAX_CYCLE_ROUNDS
program/global_uses.py: MAX_EVALUATIONS
request_rules/check.py: MAX_RULES_SHOWN MAX_MISTAKES_SHOWN MAX_RULES_EXPLAINED
request_rules/redirects.py: MAX_FILES
script/scope/reaching_definitions.py: MAX_WRITES
script/syntax/budget.py: MAX_STEPS MAX_STEPS_PER_BYTE MAX_STEPS_PER_QUERY
script/syntax/nesting.py: MAX_UNCLOSED_BRACKETS MAX_NESTED_BRACKETS
script/syntax/parse.py: MAX_PARSER_STEPS MAX_PARSER_BYTES
script/syntax/source.py: MAX_SCRIPT_BYTES
suppression/directives.py: MAX_NAMES
suppression/find.py: MAX_COMMENTS
suppression/scopes.py: MAX_PASSED_COMMENTS
script/trace/destinations.py: MAX_STEPS_OF_PROPERTY
script/values/fixpoint.py: MAX_DEPTH MAX_BROKEN_OFF
script/values/property_index.py: MAX_PLACES
script/values/stack.py: MAX_WAITING MAX_WAITING_IN_CYCLE
serve/bodies.py: MAX_FORM_FIELDS MAX_FIELD_BYTES MAX_FORM_OVERHEAD
serve/guards.py: MAX_HEADERS
serve/protocol.py: MAX_CONNECTIONS
serve/settings.py: MAX_LONG_PER_JOB MAX_SECONDS_OF_BODY MAX_IDLE_SECONDS MAX_UPLOADS
serve/team.py: MAX_SECONDS_TO_START
rules/helpers/missing_files.py: MAX_COMPARISONS
rules/helpers/resource_patterns.py: MAX_CHARACTERS MAX_PATTERNS
rules/helpers/unhandled_commands.py: MAX_COMMANDS
"""
"""Limits that `incomplete-analysis`, another finding or an error reports.

See `test_reported_bounds.py` and others.
"""

OUTPUT = """
commands/rendering.py: MAX_WIDTH
editor/lenses.py: MAX_LOCATIONS
serve/accept.py: MAX_RANGES
serve/bodies.py: MAX_NAME_LENGTH
serve/checking.py: MAX_TEXT_BYTES
editor/message_items.py: MAX_DETAIL
editor/names.py: MAX_MATCHES
first_configuration/content.py: MAX_ENTRIES
commands/in_force_output.py: _MAX_WIDTH
api_lookup/manifest_keys.py: MAX_VALUES MAX_ALTERNATIVES
api_lookup/unknown.py: MAX_NAMES
formats/csp_correction.py: MAX_POLICY_LENGTH
json_text/errors.py: _MAX_BYTES_READ _MAX_CHARACTERS_SHOWN
locales/catalogs.py: MAX_COMPARISONS
locales/placeholders.py: MAX_PLACEHOLDERS
manifest_values/relations.py: _MAX_SUGGESTED_KEYS
package/nearest_path.py: MAX_PATH_LENGTH MAX_COMPARED _MAX_EDITS
reporter/excerpt.py: MAX_WIDTH
permissions/text.py: MAX_PLACES
reporter/folding.py: MAX_SHOWN MAX_WIDTH
reporter/html/excerpts.py: MAX_AROUND MAX_LINES MAX_CHARACTERS
reporter/markdown_output.py: MAX_UNCHECKED
script/values/evaluator.py: MAX_PLACES
stores/texts.py: MAX_MESSAGES
text/nearest.py: MAX_SHORT_LENGTH MAX_COMPARED MAX_NAME_LENGTH
text/wording.py: MAX_NAME_LENGTH MAX_LISTED MAX_NAMED
validation/explain.py: MAX_EXPLAINED
validation/sentences.py: MAX_LENGTH_SHOWN MAX_NUMBER_LENGTH
words/lists.py: MAX_NAMES MAX_OPTIONS MAX_VALUES MAX_VALUES_SHOWN
script/syntax/syntax_messages.py: MAX_SHOWN_TOKEN
words/notation.py: MAX_PROPERTIES
words/patterns.py: MAX_PATTERN_LENGTH
words/strings.py: MAX_TEXT_LENGTH
rules/incomplete_analysis.py: MAX_PLACES
rules/missing_add_on_id.py: MAX_PLACES
rules/missing_message.py: MAX_LOCALES
editor/api_completion.py: MAX_DOCUMENTED
editor/markdown.py: MAX_PARTS MAX_GIVEN
editor/schema_places.py: MAX_NUMBERS
"""
"""Limits on the contents of a message, an excerpt or a suggestion. The mistake is still reported."""

COST = """
cache/alternatives.py: MAX_ALTERNATIVES
cache/disk.py: MAX_BYTES MAX_ANSWER_BYTES
cache/memory.py: MAX_UNUSED_CHECKS MAX_NEW_BYTES
checks/availability/misplaced_imports.py: _MAX_BYTES_TO_TEST
checks/availability/missing_exports.py: _MAX_CLAUSE_BYTES
checks/portability/source_searches.py: MAX_SEARCHES _MAX_KEYWORD_BYTES
checking/jobs.py: MAX_HELD MAX_SIZED_FILES
serve/guards.py: MAX_SECONDS_TO_LINGER MAX_LINGER_BYTES
serve/results.py: MAX_KEPT_BYTES
serve/service.py: MAX_LOOKUPS MAX_LOOKUP_BYTES
commands/main.py: _MAX_UNCOLLECTED_OBJECTS
contexts/json_files.py: MAX_SMALL_BYTES
lsp/edits.py: MAX_COMPARED_LINES
editor/files.py: MAX_FILES
editor/lenses.py: MAX_KEPT
editor/messages.py: MAX_CACHED_FILES
manifest_values/known_keys.py: _MAX_CACHED
program/parallel_analysis.py: MAX_SHARE
program/global_uses.py: MAX_KEPT_BYTES _MAX_BYTES_TO_COMMENT
program/script_reader.py: MAX_DEPTH
reporter/fingerprint.py: MAX_CHARACTERS
reporter/paths.py: MAX_LEVELS_UP
reporter/sarif_output.py: MAX_SNIPPET
request_rules/regex.py: _MAX_CACHED
script/expressions/mutation.py: _MAX_KEPT
script/facts/context.py: _MAX_CACHED
script/module_syntax.py: _MAX_BLANKS
text/word_offsets.py: MAX_STORED_OFFSETS _MAX_SHORT_NAME_BYTES
script/trace/confinement.py: MAX_USES
script/values/evaluator.py: MAX_NAMES_WANTED
script/syntax/generated.py: _MAX_LINE_BYTES
script/syntax/shadowed_roots.py: MAX_BRACES_BEFORE
script/syntax/parse.py: _MAX_UNBOUNDED_BYTES _MAX_SPLIT_NAMES
edits/script_fixes.py: _MAX_MEMBER_BYTES
fixes/rounds.py: MAX_ROUNDS
rules/duplicate_key.py: MAX_FIXED
script/modules/unparsed.py: _MAX_LINE_BYTES
script/scope/bindings.py: _MAX_NEIGHBORHOOD_BYTES
script/syntax/tree_cache.py: MAX_KEPT_BYTES
script/syntax/prefilter.py: _MAX_NEIGHBORHOOD_BYTES MAX_SEARCHES
script/syntax/property_text.py: _MAX_BEFORE_BYTES
script/syntax/tree.py: MAX_LEAVES_KEPT
script/values/stack.py: MAX_WAITING_FOR_SCRIPT
suppression/baseline.py: MAX_LINE_LENGTH
text/word_search.py: MAX_SEARCHES MAX_LISTED_BYTES
editor/api_facts.py: MAX_AUDIENCES
editor/imported_modules.py: MAX_KEPT_MODULES
editor/parsed_scripts.py: MAX_KEPT
"""
"""Limits beyond which the same result is computed in another way, in another order, or again."""

UNKNOWN = """
script/trace/document_parts.py: _MAX_VARIABLES
checks/resource_patterns.py: MAX_ACCESSIBLE_PATTERNS MAX_ACCESSIBLE_PATTERN_LENGTH
configuration/entries.py: MAX_MANIFESTS
bundles/compiler_helpers.py: MAX_HELPER_BYTES
bundles/esbuild.py: MAX_DEFINER_BYTES
bundles/filled_object.py: MAX_HELPER_BYTES
bundles/known_requires.py: MAX_KEYS
bundles/polyfill.py: MAX_PROXY_BYTES
bundles/runtimes.py: MAX_RUNTIME_BYTES MAX_NODES
checks/calls/result_types.py: MAX_TYPES MAX_NESTED_CHOICES
checks/load_paths.py: MAX_PATHS MAX_STEPS
checks/portability/added_members.py: MAX_MEMBER_LENGTH
formats/registry.py: MAX_TEXT_LENGTH
editor/calls.py: MAX_NESTING
editor/markup_names.py: _MAX_TAG_BYTES _MAX_LINE_BYTES
editor/message_items.py: _MAX_NAME_BYTES
images/png.py: MAX_CHUNKS
images/raster.py: MAX_SEGMENTS MAX_ICONS
images/svg.py: MAX_BYTES_TO_ROOT MAX_BYTES
locales/message_references.py: MAX_SEARCHES
linting/mistake_fixes.py: MAX_TRIED
manifest/misspelled_keys.py: _MAX_KEYS
manifest_values/relations.py: _MAX_NAMES
matching/bases.py: MAX_NESTED_CHOICES
matching/match.py: MAX_DEPTH MAX_STEPS
package/ignore_patterns.py: MAX_STARS
package/surroundings.py: MAX_LEVELS MAX_ENTRIES
package/variants.py: MAX_VARIANTS
program/callers.py: _MAX_DEPTH
program/dead_code.py: _MAX_DEPTH _MAX_NAMES
program/global_uses.py: _MAX_DEPTH
program/predicted_globals.py: MAX_PREDICTED_TESTS
program/partial_globals.py: MAX_WRITERS MAX_LOOKBACK MAX_REANALYSES
program/listeners.py: _MAX_SCRIPTS
program/name_index.py: _MAX_BYTES_TO_NAME
program/callback_destinations.py: MAX_FUNCTIONS _MAX_DEPTH
program/shared_globals.py: MAX_VALUES
program/sibling_manifests.py: MAX_SIBLINGS
project/build_output.py: MAX_CONFIG_BYTES
project/entry_points.py: MAX_NAMES
project/build_scripts.py: MAX_READ_PROGRAMS
project/generated_manifests.py: MAX_PROJECTS
project/manifest_generators.py: MAX_PROGRAMS MAX_PROGRAM_BYTES
project/output_folders.py: MAX_SIBLING_FOLDERS
project/shared_files.py: MAX_MISSING_FILES MAX_FOLDERS
project/supplied_files.py: MAX_REPLACEMENTS MAX_FOLDERS
project/tool_texts.py: MAX_LINES
project/tools.py: MAX_PROGRAM_FOLDERS MAX_TOOLS MAX_TOOL_BYTES
contexts/renamed_files.py: MAX_PACKING_PROGRAMS
project/written_files.py: MAX_WRITES
request_rules/check.py: MAX_MISTAKES_FOUND
request_rules/rulesets.py: _MAX_NAMES
resolution/bundler_config.py: MAX_STEPS
resolution/bundler_entries.py: MAX_CONFIGS
resolution/chunks.py: MAX_FOLDER_BYTES
resolution/package_json.py: MAX_DEPTH
resolution/project_files.py: MAX_CONFIG_BYTES
resolution/tsconfig.py: MAX_CONFIGS
script/call_graph/delegation.py: MAX_STATEMENTS
script/call_graph/class_family.py: MAX_CLASSES
script/call_graph/object_flow.py: MAX_PLACES
script/call_graph/object_functions.py: MAX_USES
script/call_graph/object_reads.py: MAX_DEPTH
script/call_graph/unused.py: MAX_API_LENGTH _MAX_DEPTH
script/call_graph/variable_uses.py: _MAX_PASSES
script/expressions/consumed.py: _MAX_DEPTH
script/expressions/enums.py: MAX_MEMBERS
script/expressions/fields.py: _MAX_DEPTH
script/expressions/object_effects.py: _MAX_DEPTH
script/expressions/pure_calls.py: _MAX_NAME_BYTES
script/facts/values.py: MAX_OPTIONS
script/guards/completions.py: _MAX_DEPTH _MAX_NAME_LENGTH
script/guards/condition_reader.py: _MAX_BLOCK_BYTES
script/guards/conditions.py: MAX_DEPTH
script/guards/constant_conditions.py: MAX_FOLLOWED_PARAMETERS _MAX_DEPTH
script/guards/early_exits.py: MAX_NAME_BYTES
script/guards/environment/conditions.py: _MAX_DEPTH _MAX_FUNCTION_BYTES _MAX_TEXT_BYTES
script/guards/environment/words.py: _MAX_LENGTH
script/guards/equalities.py: _MAX_DEPTH
script/guards/event_conditions.py: _MAX_DEPTH
script/guards/fallbacks.py: MAX_USES
script/guards/forms/page_address.py: _MAX_BYTES
script/guards/forms/possible_values.py: MAX_PLACES
script/guards/forms/properties.py: _MAX_NAME_BYTES
script/guards/forms/user_agent.py: _MAX_DEPTH _MAX_TEXTS
script/guards/guard_reader.py: _MAX_CALLERS _MAX_CALLEE_BYTES
script/guards/indirect_conditions.py: MAX_PATH_TEST_BYTES
script/guards/own_tests.py: MAX_MEMBERS MAX_TEST_BYTES _MAX_READS
script/guards/tested_uses.py: MAX_USES
script/guards/try_catch.py: MAX_HANDLER_BYTES _MAX_FOLLOWING_BYTES
script/modules/api_parts.py: MAX_DEPTH
script/modules/condition_words.py: MAX_BYTES MAX_SHORT_BODY_BYTES
script/modules/exported_conditions.py: _MAX_RESULTS
script/modules/function_results.py: MAX_NAMES
script/modules/globals.py: MAX_PATH
script/modules/imported_functions.py: _MAX_MEMBERS
script/modules/literal_loads.py: MAX_WORDS _MAX_PAGE_NAME_BYTES
script/modules/loads.py: _MAX_TEXT_BYTES
script/modules/shared_conditions.py: MAX_MEMBERS
script/modules/value_summaries.py: MAX_DEPTH MAX_PARTS
script/reachability/call_paths.py: _MAX_DEPTH _MAX_EVALUATIONS
script/reachability/destinations.py: _MAX_DEPTH _MAX_STEPS
script/reachability/least_solution.py: MAX_ROUNDS
script/reachability/occasions.py: MAX_OCCASIONS _MAX_DEPTH _MAX_AWAITED_DEPTH
script/reachability/executed_paths.py: MAX_DEPTH _MAX_USES _MAX_PLACES _MAX_EVALUATIONS
script/reachability/paths.py: MAX_PATHS
script/reachability/serialization.py: _MAX_NAME_BYTES _MAX_OPERANDS
script/syntax/compiled_async.py: _MAX_NAME_BYTES
script/syntax/doubtful_code.py: MAX_PLACES
script/syntax/doubts.py: MAX_CHECKED_BYTES
script/syntax/exact_parser.py: MAX_EXACT_BYTES MAX_CALLS MAX_NEAR
script/syntax/early_errors.py: _MAX_BYTES_WITH_SHORT_NAMES
script/syntax/eval_in_place.py: _MAX_SIBLINGS
script/syntax/lexer.py: MAX_LOOK_BACK MAX_REGEX_BYTES MAX_NESTED_BRACKETS
script/values/elements.py: MAX_STEPS
script/trace/inert_documents.py: MAX_STEPS _MAX_WRITES _MAX_ORIGINS
script/trace/loaded_addresses.py: MAX_USES _MAX_STEPS
script/timing/deferral.py: _MAX_CHAIN
script/timing/effects.py: MAX_FUNCTIONS _MAX_DEPTH
script/timing/exclusive_branches.py: _MAX_PARTS
script/trace/written_markup.py: MAX_WRITES MAX_DEPTH
script/trace/passed_values.py: MAX_PROPERTY_CALLS _MAX_NAME_BYTES
script/values/condition_values.py: MAX_TESTED_GLOBALS
script/values/constants.py: MAX_STRING_LENGTH
script/values/fixpoint.py: _MAX_CHANGING_ROUNDS _MAX_ROUNDS
script/values/functions.py: MAX_USES
script/values/implications.py: _MAX_STEPS _MAX_DEPTH
script/values/keep_names.py: _MAX_HELPER_BYTES
script/values/operators.py: _MAX_LENGTH
script/values/value_sizes.py: MAX_PARTS MAX_NESTING
target_detection/project_markers.py: MAX_README_BYTES
target_detection/thunderbird.py: MAX_SCRIPTS MAX_SCRIPT_BYTES
text/javascript_regex.py: MAX_PATTERN_LENGTH MAX_BRANCHES
text/regex_cost.py: MAX_UNITS MAX_STEPS MAX_STEPS_IN_ALL_WAYS
rules/helpers/escaping_tabs.py: _MAX_DEPTH
rules/helpers/resource_patterns.py: MAX_PATTERN_LENGTH
rules/helpers/source_languages.py: MAX_SOURCE_BYTES
rules/helpers/unhandled_commands.py: MAX_CHECKED_COMMANDS
rules/helpers/worker_lifetime.py: MAX_BYTES_OF_FUNCTION
rules/long_timer.py: _MAX_BYTES_OF_RACE
editor/directives_completion.py: MAX_COMMENT
editor/imported_modules.py: MAX_CHAIN MAX_MODULE_BYTES
editor/expected_types.py: MAX_TYPES
editor/loose_json.py: MAX_LEVELS
editor/script_parts.py: MAX_BYTES _MAX_WORD
"""
"""Limits beyond which one value, text or position in unusual code is unknown.

Nothing is reported: add a bound here only if it does not limit how much of a package is analyzed.
"""


def bounds_in(text: str) -> Iterator[str]:
    """Yields the names of the upper bounds that a module defines."""
    return (name for name in CONSTANT.findall(text) if name.startswith(("MAX_", "_MAX_")))


def test_every_bound_is_classified() -> None:
    listed = [
        f"{module}: {name}"
        for kind in (EXTERNAL, REPORTED, OUTPUT, COST, UNKNOWN)
        for module, _, names in (line.partition(": ") for line in kind.strip().splitlines())
        for name in names.split()
    ]
    prefixes = ("", "rules/")
    defined = [
        f"{prefix}{path.relative_to(root).as_posix()}: {name}"
        for prefix, root in zip(prefixes, ROOTS, strict=True)
        for path in root.rglob("*.py")
        for name in bounds_in(path.read_text(encoding="utf-8"))
    ]
    assert sorted(listed) == sorted(defined)
