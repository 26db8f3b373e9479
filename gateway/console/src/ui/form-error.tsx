import { Alert } from "@mantine/core";
import { type RefObject, useEffect, useState } from "react";
import { ApiError, messageOfError } from "../api/errors.ts";

interface FormErrorProps {
  readonly error: unknown;
  /** Form whose fields may show issues. */
  readonly form?: RefObject<HTMLFormElement | null>;
}

/** Shows a form's error, or the first issue that no field shows and the number of further ones. */
export function FormError({ error, form }: FormErrorProps) {
  const [text, setText] = useState("");
  // Wait until the fields show their issues, which they do in an effect.
  useEffect(() => {
    const timer = setTimeout(() => {
      const marked = [...(form?.current?.querySelectorAll("[class*='-error']") ?? [])];
      const displayed = new Set(marked.map((element) => element.textContent));
      setText(error == null ? "" : formatError(error, displayed));
    });
    return () => clearTimeout(timer);
  });
  if (error == null || text === "") return null;
  return (
    <Alert color="red" role="alert" p="xs">
      {text}
    </Alert>
  );
}

export function formatError(error: unknown, displayed: ReadonlySet<string | null>): string {
  if (!(error instanceof ApiError)) return messageOfError(error);
  if (error.issues.length === 0) return error.message;
  const hidden = error.issues.filter(({ message }) => !displayed.has(message));
  const [first] = hidden;
  if (first === undefined)
    return error.issues.length === 1 ? "Correct the marked field." : "Correct the marked fields.";
  const path = typeof first.path === "string" ? first.path : (first.path?.join(".") ?? "");
  const more = hidden.length - 1 + error.issuesOmitted;
  const text = `${path === "" ? "" : `${path}: `}${first.message}`;
  return more > 0 ? `${text} (and ${more} more)` : text;
}
