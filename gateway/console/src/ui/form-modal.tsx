// A form in a dialog. The server judges what was entered; its faults stand at their fields.

import { Alert, Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { ApiError, messageOfError } from "../api/errors.ts";
import { Dialog } from "./dialog.tsx";

interface FormModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  readonly submitLabel?: string;
  readonly isDangerous?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

export function FormModal(props: FormModalProps) {
  const {
    title,
    isOpen,
    onClose,
    onSubmit,
    isSaving,
    error,
    submitLabel = "Save",
    isDangerous,
    size,
    children,
  } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  // Faults of fields are shown there; what remains has no field.
  const isUnplaced = error !== null && !(error instanceof ApiError && error.issues.length > 0);
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} {...(size !== undefined && { size })}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
          {error != null && (
            <Alert color="red" role="alert" p="xs">
              {isUnplaced ? messageOfError(error) : issueText(error)}
            </Alert>
          )}
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} {...(isDangerous && { color: "red" })}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

function issueText(error: unknown): string {
  if (!(error instanceof ApiError)) return messageOfError(error);
  const [first] = error.issues;
  const path = typeof first?.path === "string" ? first.path : (first?.path?.join(".") ?? "");
  return `${path === "" ? "" : `${path}: `}${first?.message ?? error.message}`;
}
