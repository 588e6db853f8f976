"""The content that is read from Thunderbird's types."""

from __future__ import annotations

from extlint_facts.thunderbird import keys, members, permissions

TYPES = """
interface Other {
    get(): void;
}

declare namespace messenger {
    /** export function commented(): void; */
    export namespace _manifest {
        export interface WebExtensionManifest {
            action?: _Action | undefined;
            commands?:
                | {
                    [key: string]: { description?: string };
                }
                | undefined;
            name: string;
        }

        export type PermissionNoPrompt = OptionalPermissionNoPrompt | _PermissionNoPrompt;

        export interface _Action {
            default_title?: string | undefined;
            allowed_spaces?: Space[] | undefined;
        }

        export type _PermissionNoPrompt =
            | "menus"
            | "messagesRead";

        export type _Level = "granted";
    }

    export namespace messages {
        export interface Message {
            id: number;
        }
        function _delete(id: number): Promise<void>;

        export { _delete as delete };
        export function list(): Promise<Message[]>;
        export const onNewMailReceived: WebExtEvent<() => void>;

        export namespace tags {
            export function create(): void;
        }
    }
}

declare namespace browser {
    export namespace more {
        export function list(): void;
    }
}
"""


def test_members_are_read() -> None:
    assert members(TYPES) == {
        "messages": {"delete", "list", "onNewMailReceived"},
        "messages.tags": {"create"},
    }


def test_manifest_keys_are_read() -> None:
    assert keys(TYPES) == {
        "": {"action", "commands", "name"},
        "action": {"allowed_spaces", "default_title"},
    }


def test_permissions_are_read() -> None:
    assert permissions(TYPES) == {"menus", "messagesRead"}
