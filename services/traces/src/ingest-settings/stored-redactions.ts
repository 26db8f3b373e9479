import { type FieldViolation, invalidFields } from "@ems/kit/errors";
import { definedFields } from "@ems/kit/patch";
import { defaultReplacement, patternFault } from "@ems/kit/redaction";
import type { NewRedaction } from "@ems/proto/experiments/v1/ingest_settings_service";
import type { StoredRedaction } from "./entity.ts";
import { builtInName } from "./messages.ts";

/** Returns the rules with defaults filled in; throws all violations. */
export function storedRedactions(
  redactions: readonly NewRedaction[],
  listPath: readonly string[],
): readonly StoredRedaction[] {
  const { stored, faults } = checkRedactions(redactions, listPath);
  if (faults.length > 0) throw invalidFields(faults);
  return stored;
}

/** Returns the rules with defaults filled in, and all violations. */
export function checkRedactions(redactions: readonly NewRedaction[], listPath: readonly string[]) {
  const stored = redactions.map(({ name: ownName, pattern, builtIn: number, replacement, enabled = true }) => {
    const builtIn = builtInName(number);
    const name = ownName ?? builtIn ?? "";
    return {
      name,
      ...definedFields({ pattern, builtIn }),
      replacement: replacement ?? defaultReplacement(name),
      enabled,
    };
  });
  const names = new Set<string>();
  const faults = stored.flatMap((redaction, index): FieldViolation[] => {
    const fault = findViolation(redaction) ?? (names.has(redaction.name) ? duplicate : undefined);
    names.add(redaction.name);
    return fault === undefined ? [] : [{ ...fault, path: [...listPath, index, ...fault.path] }];
  });
  return { stored: stored as readonly StoredRedaction[], faults };
}

const duplicate: FieldViolation = { path: ["name"], message: "Another redaction has the same name" };

function findViolation({ name, pattern, builtIn }: StoredRedaction): FieldViolation | undefined {
  if ((pattern === undefined) === (builtIn === undefined))
    return { path: [], message: "Exactly one of pattern and builtIn" };
  if (name === "") return { path: ["name"], message: "Required" };
  const message = pattern === undefined ? undefined : patternFault(pattern);
  return message === undefined ? undefined : { path: ["pattern"], message };
}
