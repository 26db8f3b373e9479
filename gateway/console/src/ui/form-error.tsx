import { Alert } from "@mantine/core";
import { ApiError, messageOfError } from "../api/errors.ts";

/** Shows a form's error: the first issue with its field and the number of further issues, or the error's message. */
export function FormError({ error }: { readonly error: unknown }) {
  if (error == null) return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {formatError(error)}
    </Alert>
  );
}

function formatError(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOfError(error);
  const [first] = error.issues;
  const path = typeof first?.path === "string" ? first.path : (first?.path?.join(".") ?? "");
  const more = error.issues.length - 1 + error.issuesOmitted;
  const text = `${path === "" ? "" : `${path}: `}${first?.message ?? error.message}`;
  return more > 0 ? `${text} (and ${more} more)` : text;
}
