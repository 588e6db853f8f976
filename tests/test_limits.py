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
analysis/expressions/members.py: MAX_PATH_LENGTH
checks/manifest_values/load_messages.py: MAX_NAME_IN_FIREFOX
checks/request_rules.py: MAX_REGEX_RULES
checks/request_regex.py: MAX_REPEATS _MAX_MEMORY
checks/request_regex.py: MAX_RE2_REPEATS
checks/rulesets.py: MAX_ENABLED
package/discovery/zip_directory.py: _MAX_COMMENT_BYTES
processes/contained.py: MAX_OPEN_FILES
processes/resources.py: MAX_NOTE_BYTES
processes/workers.py: MAX_WORKERS MAX_SECONDS_TO_END
report/formats/github_output.py: MAX_ANNOTATIONS
report/formats/markdown_output.py: MAX_CHARACTERS
rules/refused_by_store.py: MAX_BYTES_IN_STORE
rules/unpublishable_version.py: MAX_NUMBER MAX_LOADED_NUMBER
schema/matching/scalars.py: MAX_SAFE_INTEGER
services/serve/main.py: MAX_WAITING_CONNECTIONS
services/serve/nursery.py: MAX_FILES
services/serve/team.py: MAX_SECONDS_TO_SEND
checks/calls/argument_values.py: MAX_ITEM_BYTES
text/formats/call_arguments.py: MAX_BADGE_BYTES
text/formats/host.py: MAX_PORT MAX_LENGTH
text/formats/shortcut.py: _MAX_PARTS
text/formats/version.py: MAX_NUMBERS MAX_DIGITS MAX_CHROME_NUMBER
text/json/reader.py: MAX_DEPTH _MAX_SAFE_DIGITS
"""
"""Limits of browsers, formats and systems: different behavior is correct beyond them, and is checked."""

REPORTED = """
services/scan/checker.py: MAX_ATTEMPTS
services/scan/run.py: MAX_ATTEMPTS
services/scan/settings.py: MAX_OUTPUT_BYTES MAX_RATIO
analysis/expressions/table.py: MAX_NESTED
analysis/scope/reaching_definitions.py: MAX_WRITES
analysis/syntax/tree.py: MAX_STEPS MAX_STEPS_PER_BYTE MAX_STEPS_PER_QUERY
analysis/syntax/lexer.py: MAX_UNCLOSED_BRACKETS MAX_NESTED_BRACKETS
analysis/syntax/parse.py: MAX_PARSER_STEPS MAX_PARSER_BYTES MAX_PARSER_SECONDS
checking/jobs.py: MAX_ATTEMPTS MAX_CHECK_BYTES
analysis/syntax/source.py: MAX_SCRIPT_BYTES
analysis/trace/destinations.py: MAX_STEPS_OF_PROPERTY
analysis/trace/discover.py: MAX_FOLLOWED
analysis/values/fixpoint.py: MAX_DEPTH MAX_BROKEN_OFF
analysis/values/property_index.py: MAX_PLACES
analysis/values/stack.py: MAX_WAITING MAX_WAITING_IN_CYCLE
program/shared_layout.py: MAX_ROUNDS
checks/manifest_values/named_images.py: MAX_IMAGE_BYTES
checks/request_rules.py: MAX_RULES_SHOWN MAX_MISTAKES_SHOWN MAX_RULES_EXPLAINED
checks/rulesets.py: MAX_FILES
linting/configuration/project_file.py: MAX_DEPTH
linting/configuration/source.py: MAX_CONFIG_BYTES MAX_DOTS
linting/suppression/comment.py: MAX_NAMES
linting/suppression/comments.py: MAX_COMMENTS MAX_PASSED_COMMENTS
package/discovery/find.py: _MAX_START_BYTES
package/discovery/not_found.py: _MAX_CANDIDATES
package/limits.py: MAX_FILES MAX_ENTRIES MAX_DEPTH MAX_LINKED_FILES MAX_LINKS MAX_FILE_BYTES MAX_ARCHIVE_BYTES
package/limits.py: MAX_LISTING_BYTES MAX_EXPANSION MAX_SNIFFED_BYTES
program/delegated_uses.py: MAX_USES
program/global_uses.py: MAX_EVALUATIONS
program/import_cycles.py: MAX_CYCLE_ROUNDS
program/searched_scripts.py: MAX_LARGE_SCRIPTS MAX_HAND_WRITTEN_BYTES
project/contexts/collector.py: MAX_PAGE_BYTES
project/contexts/layout.py: MAX_PATTERNS MAX_STARS
rules/helpers/missing_files.py: MAX_COMPARISONS
rules/unmatched_resource.py: MAX_CHARACTERS MAX_PATTERNS
services/lsp/main.py: MAX_MESSAGE_BYTES MAX_HEADER_BYTES
services/permissions/output.py: MAX_MANIFEST_BYTES
services/serve/bodies.py: MAX_FORM_FIELDS MAX_FIELD_BYTES MAX_FORM_OVERHEAD
services/serve/guards.py: MAX_HEADERS
services/serve/main.py: MAX_CONNECTIONS
services/serve/settings.py: MAX_LONG_PER_JOB MAX_SECONDS_OF_BODY MAX_IDLE_SECONDS MAX_UPLOADS
services/serve/team.py: MAX_SECONDS_TO_START
"""
"""Limits that `incomplete-analysis`, another finding or an error reports.

See `test_reported_bounds.py` and others.
"""

OUTPUT = """
services/scan/report_page.py: MAX_ROWS
analysis/syntax/exact_parser.py: MAX_SHOWN_TOKEN
analysis/values/evaluator.py: MAX_PLACES
checks/locales/catalogs.py: MAX_COMPARISONS
checks/locales/mistakes.py: MAX_PLACEHOLDERS
checks/manifest_values/relations.py: _MAX_SUGGESTED_KEYS
linting/stores.py: MAX_MESSAGES
cli/first_configuration.py: MAX_ENTRIES
cli/in_force.py: _MAX_WIDTH
cli/commands/rule.py: MAX_WIDTH
package/nearest_path.py: MAX_PATH_LENGTH MAX_COMPARED _MAX_EDITS
report/excerpt.py: MAX_WIDTH
report/formats/human_readable.py: MAX_SHOWN MAX_WIDTH
report/formats/html_output.py: MAX_AROUND MAX_LINES MAX_CHARACTERS
report/formats/markdown_output.py: MAX_UNCHECKED
rules/incomplete_analysis.py: MAX_PLACES
rules/missing_add_on_id.py: MAX_PLACES
rules/missing_message.py: MAX_LOCALES
schema/validation/explain.py: MAX_EXPLAINED
schema/validation/sentences.py: MAX_LENGTH_SHOWN MAX_NUMBER_LENGTH
schema/words/values.py: MAX_NAMES MAX_OPTIONS MAX_VALUES MAX_VALUES_SHOWN MAX_TEXT_LENGTH
schema/words/types.py: MAX_PROPERTIES
schema/words/formats.py: MAX_PATTERN_LENGTH
services/api_lookup/manifest_keys.py: MAX_VALUES MAX_ALTERNATIVES
services/name_lookup.py: MAX_NAMES
services/editor/api_completion.py: MAX_DOCUMENTED
services/editor/lenses.py: MAX_LOCATIONS
services/editor/markdown.py: MAX_PARTS MAX_GIVEN
services/editor/messages.py: MAX_DETAIL
services/editor/definitions.py: MAX_MATCHES
services/editor/schema_places.py: MAX_NUMBERS
services/permissions/output.py: MAX_PLACES
services/serve/answers.py: MAX_RANGES
services/serve/bodies.py: MAX_NAME_LENGTH
services/serve/work.py: MAX_TEXT_BYTES
text/formats/csp.py: MAX_POLICY_LENGTH
text/json/errors.py: _MAX_BYTES_READ _MAX_CHARACTERS_SHOWN
text/nearest.py: MAX_SHORT_LENGTH MAX_COMPARED MAX_NAME_LENGTH
text/wording.py: MAX_NAME_LENGTH MAX_LISTED MAX_NAMED
"""
"""Limits on the contents of a message, an excerpt or a suggestion. The mistake is still reported."""

COST = """
analysis/cache/disk.py: MAX_BYTES MAX_ANSWER_BYTES
queries/database.py: MAX_UNUSED_ROUNDS
queries/stored.py: MAX_ALTERNATIVES
analysis/expressions/mutation.py: _MAX_KEPT
analysis/facts/context.py: _MAX_CACHED
analysis/module_syntax.py: _MAX_BLANKS
checks/reachability/sent_messages.py: _MAX_BLANKS
checks/reachability/undeclared_objects.py: _MAX_BLANKS
project/contexts/words.py: _MAX_BLANKS
analysis/modules/unparsed.py: _MAX_LINE_BYTES MAX_BRACES_BEFORE
analysis/scope/bindings.py: _MAX_NEIGHBORHOOD_BYTES
analysis/syntax/build_signs.py: _MAX_LINE_BYTES
analysis/syntax/parse.py: _MAX_UNBOUNDED_BYTES _MAX_SPLIT_NAMES
analysis/syntax/prefilter.py: _MAX_NEIGHBORHOOD_BYTES MAX_SEARCHES
analysis/syntax/prefilter.py: _MAX_BEFORE_BYTES
analysis/syntax/tree.py: MAX_LEAVES_KEPT
analysis/syntax/tree_cache.py: MAX_KEPT_BYTES
analysis/trace/escapes.py: MAX_USES
analysis/values/evaluator.py: MAX_NAMES_WANTED
analysis/values/stack.py: MAX_WAITING_FOR_SCRIPT
checking/fix_rounds.py: MAX_ROUNDS
checking/jobs.py: MAX_HELD MAX_SIZED_FILES MAX_BYTES_PER_BYTE
checks/api/schema_path.py: _MAX_CACHED
checks/calls/types.py: _MAX_CACHED
checks/availability/wrong_imports.py: _MAX_BYTES_TO_TEST
checks/availability/missing_scripts.py: _MAX_BYTES_BEFORE
checks/availability/wrong_imports.py: _MAX_CLAUSE_BYTES
checks/manifest_values/known_keys.py: _MAX_CACHED
checks/other_browsers.py: MAX_SEARCHES _MAX_KEYWORD_BYTES
checks/request_regex.py: _MAX_CACHED
cli/main.py: _MAX_UNCOLLECTED_OBJECTS
linting/suppression/baseline.py: MAX_LINE_LENGTH
manifest/edits/script_fixes.py: _MAX_MEMBER_BYTES
program/global_uses.py: MAX_KEPT_BYTES _MAX_BYTES_TO_COMMENT
program/parallel_analysis.py: MAX_SHARE
program/module_exports.py: MAX_DEPTH
project/contexts/json_files.py: MAX_SMALL_BYTES
report/formats/human_readable.py: MAX_CHARACTERS
report/formats/sarif_output.py: MAX_SNIPPET
report/paths.py: MAX_LEVELS_UP
rules/duplicate_key.py: MAX_FIXED
services/editor/api_members.py: MAX_AUDIENCES
services/editor/documents/imported_modules.py: MAX_KEPT_MODULES
services/editor/documents/scripts.py: MAX_KEPT
services/editor/files.py: MAX_FILES
services/editor/lenses.py: MAX_KEPT
services/editor/messages.py: MAX_CACHED_FILES
services/lsp/code_actions.py: MAX_COMPARED_LINES
services/serve/guards.py: MAX_SECONDS_TO_LINGER MAX_SECONDS_BETWEEN_PARTS MAX_LINGER_BYTES
services/serve/results.py: MAX_KEPT_BYTES
services/serve/service.py: MAX_LOOKUPS MAX_LOOKUP_BYTES
text/word_search.py: MAX_STORED_OFFSETS _MAX_BLOCKS _MAX_SHORT_NAME_BYTES MAX_SEARCHES MAX_LISTED_BYTES
"""
"""Limits beyond which the same result is computed in another way, in another order, or again."""

UNKNOWN = """
analysis/addresses.py: _MAX_CALLS _MAX_STEPS
analysis/element_lookups.py: _MAX_DEPTH
analysis/bundles/commonjs.py: MAX_HELPER_BYTES
analysis/bundles/esbuild.py: MAX_DEFINER_BYTES
analysis/bundles/filled_object.py: MAX_HELPER_BYTES
analysis/bundles/runtimes.py: MAX_RUNTIME_BYTES MAX_NODES
analysis/call_graph/class_family.py: MAX_CLASSES
analysis/call_graph/delegation.py: MAX_STATEMENTS
analysis/call_graph/unused.py: _MAX_BYTES_TO_CALL
analysis/call_graph/object_flow.py: MAX_PLACES
analysis/call_graph/delegation.py: MAX_DEPTH
analysis/call_graph/unused.py: MAX_API_LENGTH _MAX_DEPTH
analysis/call_graph/variable_uses.py: _MAX_PASSES
analysis/expressions/object_effects.py: _MAX_CALL_DEPTH _MAX_NAME_BYTES
analysis/expressions/objects.py: MAX_MEMBERS
analysis/expressions/members.py: _MAX_DEPTH
analysis/expressions/mutation.py: MAX_CHANGED_NAMES
analysis/expressions/object_effects.py: _MAX_DEPTH
analysis/facts/values.py: MAX_OPTIONS MAX_PREFIX
analysis/guards/completions.py: _MAX_DEPTH _MAX_NAME_LENGTH
analysis/guards/condition_reader.py: _MAX_BLOCK_BYTES
analysis/guards/conditions.py: MAX_DEPTH
analysis/guards/constant_conditions.py: MAX_FOLLOWED_PARAMETERS
analysis/guards/early_exits.py: MAX_NAME_BYTES
analysis/guards/environment_conditions.py: _MAX_DEPTH _MAX_FUNCTION_BYTES _MAX_TEST_BYTES _MAX_TEXT_BYTES
analysis/guards/environment_operands.py: _MAX_LENGTH
analysis/guards/try_catch.py: MAX_HANDLER_BYTES _MAX_FOLLOWING_BYTES
analysis/guards/event_conditions.py: _MAX_DEPTH
analysis/guards/tested_results.py: MAX_USES
analysis/guards/forms/facts.py: _MAX_ALTERNATIVES
analysis/guards/forms/own_address.py: _MAX_DEPTH _MAX_PATTERN_LENGTH
analysis/guards/forms/page_address.py: _MAX_BYTES
analysis/guards/forms/possible_values.py: MAX_PLACES
analysis/guards/forms/members.py: _MAX_NAME_BYTES
analysis/guards/forms/user_agent.py: _MAX_DEPTH _MAX_TEXTS
analysis/guards/guard_reader.py: _MAX_CALLERS _MAX_CALLEE_BYTES
analysis/guards/indirect_conditions.py: MAX_PATH_TEST_BYTES _MAX_TEXTS _MAX_COMPARED
analysis/guards/own_tests.py: MAX_MEMBERS MAX_TEST_BYTES _MAX_READS
analysis/guards/tested_results.py: _MAX_DEPTH _MAX_PLACES
analysis/guards/tested_uses.py: MAX_USES _MAX_DEPTH
analysis/modules/globals.py: MAX_DEPTH MAX_PATH
analysis/modules/value_summaries.py: MAX_USES
analysis/modules/condition_words.py: MAX_BYTES MAX_SHORT_BODY_BYTES
analysis/modules/exported_functions.py: _MAX_RESULTS
analysis/modules/exported_functions.py: MAX_NAMES
analysis/modules/module_names.py: _MAX_MEMBERS
analysis/modules/literal_loads.py: MAX_WORDS _MAX_PAGE_NAME_BYTES
analysis/modules/loads.py: _MAX_TEXT_BYTES _MAX_STEPS _MAX_USES
analysis/modules/value_summaries.py: MAX_DEPTH MAX_PARTS
analysis/reachability/call_paths.py: _MAX_DEPTH _MAX_EVALUATIONS
analysis/reachability/destinations.py: _MAX_DEPTH _MAX_STEPS
analysis/reachability/executed_paths.py: MAX_DEPTH _MAX_USES _MAX_PLACES _MAX_EVALUATIONS
analysis/reachability/paths.py: MAX_ROUNDS
analysis/reachability/occasions.py: MAX_OCCASIONS _MAX_DEPTH _MAX_AWAITED_DEPTH
analysis/reachability/paths.py: MAX_PATHS
analysis/reachability/repeated_conditions.py: _MAX_DEPTH
analysis/reachability/serialization.py: _MAX_NAME_BYTES _MAX_OPERANDS
analysis/syntax/compiled_async.py: _MAX_NAME_BYTES
analysis/syntax/eval_code.py: _MAX_SIBLINGS
analysis/syntax/lexer.py: MAX_LOOK_BACK MAX_REGEX_BYTES _MAX_TEMPLATE_BRACKETS
analysis/syntax/early_errors.py: MAX_PLACES
analysis/syntax/doubts.py: MAX_CHECKED_BYTES
analysis/syntax/early_errors.py: _MAX_BYTES_WITH_SHORT_NAMES
analysis/syntax/exact_parser.py: MAX_EXACT_BYTES MAX_CALLS MAX_NEAR
analysis/timing/continuations.py: _MAX_CHAIN
analysis/timing/effects.py: MAX_FUNCTIONS _MAX_DEPTH
analysis/timing/exclusive_branches.py: _MAX_PARTS
analysis/timing/handled_messages.py: _MAX_DEPTH
analysis/timing/handled_messages.py: _MAX_IGNORED_DEPTH
analysis/syntax/shapes.py: _MAX_DEPTH
analysis/trace/documents.py: _MAX_VARIABLES MAX_STEPS _MAX_WRITES _MAX_ORIGINS
analysis/trace/loaded_addresses.py: MAX_USES _MAX_STEPS
analysis/trace/lost_failures.py: _MAX_FUNCTIONS
analysis/trace/passed_values.py: MAX_PROPERTY_CALLS _MAX_NAME_BYTES
analysis/trace/documents.py: MAX_WRITES MAX_DEPTH
analysis/values/condition_values.py: MAX_TESTED_GLOBALS
analysis/values/constants.py: MAX_STRING_LENGTH
analysis/values/elements.py: MAX_STEPS
analysis/values/fixpoint.py: _MAX_CHANGING_ROUNDS _MAX_ROUNDS
analysis/values/functions.py: MAX_USES
analysis/values/excluded_options.py: _MAX_DEPTH
analysis/values/condition_values.py: _MAX_STEPS _MAX_DEPTH
analysis/values/functions.py: _MAX_HELPER_BYTES
analysis/values/constants.py: _MAX_LENGTH
analysis/values/value_sizes.py: MAX_PARTS MAX_NESTING
checks/calls/types.py: MAX_TYPES MAX_NESTED_CHOICES
checks/redeclared_names.py: MAX_LOADS
checks/images.py: MAX_CHUNKS MAX_SEGMENTS MAX_ICONS MAX_BYTES_TO_ROOT MAX_SVG_BYTES
checks/load_paths.py: MAX_PATHS MAX_STEPS
checks/locales/catalogs.py: MAX_SEARCHES
checks/manifest_values/relations.py: _MAX_NAMES
checks/possible_members.py: MAX_MEMBER_LENGTH
checks/request_rules.py: MAX_MISTAKES_FOUND
checks/rulesets.py: _MAX_NAMES
checks/resource_patterns.py: MAX_ACCESSIBLE_PATTERNS MAX_ACCESSIBLE_PATTERN_LENGTH
linting/configuration/entries.py: MAX_MANIFESTS
linting/fixes.py: MAX_TRIED
manifest/manifest.py: _MAX_KEYS
package/discovery/variants.py: MAX_VARIANTS
package/git_ignore.py: MAX_STARS
package/surroundings.py: MAX_LEVELS MAX_ENTRIES
program/callers.py: _MAX_DEPTH
program/callers.py: MAX_FUNCTIONS _MAX_PASSES
program/certain_uses.py: MAX_MODULES
program/dead_code.py: _MAX_DEPTH _MAX_NAMES
program/global_uses.py: _MAX_DEPTH
program/listeners.py: _MAX_SCRIPTS
program/predicted_globals.py: _MAX_BYTES_TO_NAME
program/shared_globals.py: MAX_WRITERS MAX_LOOKBACK MAX_REANALYSES
program/predicted_globals.py: MAX_PREDICTED_TESTS
program/shared_globals.py: MAX_VALUES
program/sibling_manifests.py: MAX_SIBLINGS
project/build_output.py: MAX_CONFIG_BYTES
project/build_scripts.py: MAX_READ_PROGRAMS
project/contexts/other_windows.py: _MAX_DECLARATION_BYTES
project/contexts/renamed_files.py: MAX_PACKING_PROGRAMS
project/entry_points.py: MAX_NAMES
project/generated_manifests.py: MAX_PROJECTS
project/build_scripts.py: MAX_PROGRAMS MAX_PROGRAM_BYTES
project/output_folders.py: MAX_SIBLING_FOLDERS
checks/reachability/packaged_files.py: MAX_DATA_FILES
project/resolution/bundler_config.py: MAX_STEPS
project/resolution/bundler_entries.py: MAX_CONFIGS
project/resolution/bundler_entries.py: MAX_COMMANDS
project/resolution/resolver.py: MAX_FOLDER_BYTES
project/resolution/project_files.py: MAX_DEPTH
project/resolution/project_files.py: MAX_CONFIG_BYTES
project/resolution/project_aliases.py: MAX_CONFIGS
project/rewritten_keys.py: MAX_PLACES MAX_DISTANCE
project/copied_files.py: MAX_MISSING_FILES MAX_FOLDERS MAX_LAID_FILES MAX_COMMANDS
project/supplied_files.py: MAX_ARCHIVES MAX_DIRECTORY_BYTES MAX_FOLDERS MAX_REPLACEMENTS
project/target_detection/markers.py: MAX_README_BYTES
project/target_detection/detect.py: MAX_SCRIPTS MAX_SCRIPT_BYTES
project/tools.py: MAX_PROGRAM_FOLDERS MAX_TOOLS MAX_TOOL_BYTES
rules/helpers/permission_uses.py: _MAX_DEPTH
rules/helpers/page_elements.py: _MAX_BYTES_OF_LOOKUP
rules/helpers/page_elements.py: _MAX_BYTES_OF_FUNCTION
rules/helpers/other_tabs.py: _MAX_BYTES_BEFORE
rules/missing_value.py: _MAX_BYTES_OF_CHAIN
rules/unmatched_resource.py: MAX_PATTERN_LENGTH
rules/unbuilt_file.py: MAX_SOURCE_BYTES
rules/unhandled_command.py: MAX_CHECKED_COMMANDS
rules/long_timer.py: MAX_BYTES_OF_FUNCTION _MAX_BYTES_OF_RACE
schema/matching/bases.py: MAX_NESTED_CHOICES
schema/matching/match.py: MAX_DEPTH MAX_STEPS
services/editor/completion.py: MAX_COMMENT
services/editor/documents/script_strings.py: MAX_NESTING
services/editor/documents/imported_modules.py: MAX_CHAIN MAX_MODULE_BYTES
services/editor/documents/loose_json.py: MAX_LEVELS
services/editor/documents/scripts.py: MAX_BYTES _MAX_WORD
services/editor/expected_types.py: MAX_TYPES
services/editor/markup_names.py: _MAX_TAG_BYTES _MAX_LINE_BYTES
services/editor/messages.py: _MAX_NAME_BYTES
text/formats/registry.py: MAX_TEXT_LENGTH

package/discovery/made_manifest.py: _MAX_SETTINGS
package/discovery/merged_manifest.py: MAX_MODULE
package/discovery/written_keys.py: _MAX_TYPE
text/json/object_literal.py: _MAX_DEPTH
text/javascript_regex.py: MAX_PATTERN_LENGTH MAX_BRANCHES MAX_UNITS MAX_STEPS MAX_STEPS_IN_ALL_WAYS
rules/helpers/fluent.py: _MAX_NESTING
analysis/undeclared_names.py: MAX_USES
rules/helpers/known_names.py: _MAX_BYTES_BEFORE
project/outer_code.py: MAX_OUTER_FILES
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
