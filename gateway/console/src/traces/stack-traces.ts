// Finds the stack traces of exceptions in a step's metadata.

interface StackTraces {
  /** Stacks as text, with their line breaks. */
  readonly stacks: readonly string[];
  /** The metadata without the stacks. */
  readonly metadata: unknown;
}

const stackName = "exception.stacktrace";

/** Splits metadata into the stack traces of its exception events and the rest. */
export function splitStackTraces(metadata: unknown): StackTraces {
  const stacks: string[] = [];
  const removeStack = (fields: Record<string, unknown>): Record<string, unknown> => {
    const { [stackName]: stack, ...rest } = fields;
    if (typeof stack !== "string" || stack === "") return fields;
    stacks.push(stack);
    return rest;
  };
  if (!isObject(metadata)) return { stacks, metadata };
  const events = metadata["otel.events"];
  const rest = removeStack(metadata);
  if (Array.isArray(events))
    rest["otel.events"] = events.map((event) =>
      isObject(event) && isObject(event.attributes) ? { ...event, attributes: removeStack(event.attributes) } : event,
    );
  return { stacks, metadata: rest };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
