import type { Redactor } from "@ems/kit/redaction";
import type { LogMessage } from "./read-logs.ts";

/**
 * Applies the application's redaction rules to messages from log records. The ids of the messages do not change: they
 * are derived from the original texts.
 */
export async function redactLogs(
  redactor: Redactor | undefined,
  applicationId: string,
  messages: readonly LogMessage[],
): Promise<readonly LogMessage[]> {
  if (redactor === undefined || messages.length === 0) return messages;
  return redactor.redact(applicationId, "log", function* (redaction) {
    const redacted: LogMessage[] = [];
    for (const message of messages) redacted.push({ ...message, content: yield* redaction.value(message.content) });
    return redacted;
  });
}
