// Form of a dialog or a page. It checks required fields, sends once, moves the focus to the first field with an error,
// and keeps unsaved input. The server validates everything else.

import { Button, Group, Stack, Text } from "@mantine/core";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { EditNotices } from "../edits/edit-notices.tsx";
import type { EditView } from "../edits/use-edit.ts";
import { type Unsaved, useUnsaved } from "../edits/use-unsaved.ts";
import { FormError } from "./form-error.tsx";
import { findMissing } from "./required.ts";

export interface FormState {
  readonly onSubmit: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Conflict state; set only for forms that edit a stored resource. */
  readonly edit?: EditView;
  /** Errors by field; set only for forms with fields. */
  readonly fields?: {
    readonly errors: Readonly<Record<string, ReactNode>>;
    readonly setErrors: (errors: Record<string, string>) => void;
  };
  readonly unsaved?: Unsaved;
}

interface FormProps extends FormState {
  /** Identifies the form's unsaved input. */
  readonly title: string;
  /** Accessible name of a form that is not in a dialog. */
  readonly label?: string;
  readonly gap?: string;
  readonly children: ReactNode;
  /** Buttons. */
  readonly footer: ReactNode;
}

export function Form({ title, label, gap = "sm", children, footer, ...state }: FormProps) {
  const { onSubmit, isSaving, error, edit, fields, unsaved } = state;
  const form = useRef<HTMLFormElement>(null);
  const isRefused = useRef(false);
  const [missing, setMissing] = useState<readonly string[]>([]);
  const { isRestored, startOver } = useUnsaved(title, unsaved);
  const errors = fields?.errors;
  useEffect(() => {
    if (error != null) isRefused.current = true;
  }, [error]);
  useEffect(() => {
    if (!isRefused.current || errors === undefined) return;
    const faulty = form.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (faulty == null) return;
    isRefused.current = false;
    faulty.focus();
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSaving || form.current === null) return;
    const found = fields === undefined ? {} : findMissing(form.current);
    setMissing(Object.values(found));
    isRefused.current = Object.keys(found).length > 0;
    if (isRefused.current) fields?.setErrors(found);
    else onSubmit();
  };
  return (
    <form ref={form} onSubmit={submit} noValidate aria-label={label}>
      <Stack gap={gap}>
        {isRestored && (
          <Group gap="xs" role="status">
            <Text size="sm" c="dimmed">
              Your unsaved changes were restored.
            </Text>
            <Button size="compact-sm" variant="default" onClick={startOver}>
              Start over
            </Button>
          </Group>
        )}
        {children}
        {edit !== undefined && <EditNotices edit={edit} />}
        <FormError error={missing.length > 0 ? new Error(missing.join(". ")) : error} form={form} />
        {footer}
      </Stack>
    </form>
  );
}
