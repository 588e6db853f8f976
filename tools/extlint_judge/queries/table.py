"""The table of all questions, in the order of the command line."""

from __future__ import annotations

from typing import Any

from extlint_judge.queries.add_on_id import add_on_id
from extlint_judge.queries.background_runs import background_runs
from extlint_judge.queries.blocked_calls import blocked_calls
from extlint_judge.queries.blocked_requests import blocked_requests
from extlint_judge.queries.called_files import called_files
from extlint_judge.queries.clipboard_commands import clipboard_commands
from extlint_judge.queries.content_script_names import content_script_names
from extlint_judge.queries.formats import formats
from extlint_judge.queries.globals import all_globals, globals_
from extlint_judge.queries.hidden_headers import hidden_headers
from extlint_judge.queries.host_access import host_access
from extlint_judge.queries.imports import imports
from extlint_judge.queries.injected_files import injected_files
from extlint_judge.queries.kept_menus import kept_menus
from extlint_judge.queries.managed_schemas import managed_schemas
from extlint_judge.queries.messages import messages
from extlint_judge.queries.missing_answers import missing_answers
from extlint_judge.queries.own_extension import background_pages, seen_manifest, user_agent
from extlint_judge.queries.packages import misplaced_manifests, package_names
from extlint_judge.queries.page_events import page_events
from extlint_judge.queries.permissions import permissions, prompts
from extlint_judge.queries.policies import policies
from extlint_judge.queries.popup_links import popup_links
from extlint_judge.queries.receivers import receivers
from extlint_judge.queries.refused_calls import refused_calls
from extlint_judge.queries.repeated_listeners import repeated_listeners
from extlint_judge.queries.request_patterns import request_patterns
from extlint_judge.queries.reserved_commands import reserved_commands
from extlint_judge.queries.resources import resources
from extlint_judge.queries.results import callbacks, detached_methods, injected_functions, promises
from extlint_judge.queries.secure_contexts import secure_contexts
from extlint_judge.queries.separate_storage import separate_storage
from extlint_judge.queries.serialization import serialization
from extlint_judge.queries.storage_access import session_access
from extlint_judge.queries.storage_changes import storage_changes
from extlint_judge.queries.syntax import syntax
from extlint_judge.queries.unhandled_failures import unhandled_failures
from extlint_judge.queries.unrequested_details import unrequested_details
from extlint_judge.queries.upgraded_requests import upgraded_requests
from extlint_judge.queries.user_actions import clicks, gestures
from extlint_judge.queries.user_input import user_input
from extlint_judge.queries.worker_events import worker_events
from extlint_judge.queries.worlds import worlds
from extlint_judge.query import Query

QUERIES: tuple[Query[Any], ...] = (
    *(
        add_on_id,
        background_pages,
        background_runs,
        blocked_calls,
        blocked_requests,
        called_files,
        callbacks,
        clicks,
        clipboard_commands,
        content_script_names,
        detached_methods,
        formats,
        gestures,
        all_globals,
        globals_,
        secure_contexts,
    ),
    *(
        hidden_headers,
        host_access,
        imports,
        injected_files,
        injected_functions,
        kept_menus,
        managed_schemas,
        messages,
        misplaced_manifests,
        missing_answers,
        package_names,
        page_events,
        permissions,
        policies,
        popup_links,
    ),
    *(
        promises,
        prompts,
        receivers,
        refused_calls,
        repeated_listeners,
        request_patterns,
        reserved_commands,
        resources,
        seen_manifest,
        separate_storage,
        serialization,
        session_access,
        storage_changes,
        syntax,
    ),
    *(
        unhandled_failures,
        unrequested_details,
        upgraded_requests,
        user_agent,
        user_input,
        worker_events,
        worlds,
    ),
)
