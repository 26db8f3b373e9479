// Form in a dialog. The server validates the input, and its issues are displayed at their fields.

import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { EditNotices } from "../edits/edit-notices.tsx";
import type { EditView } from "../edits/use-edit.ts";
import { Dialog } from "./dialog.tsx";
import { FormError } from "./form-error.tsx";

interface FormModalProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSubmit: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  /** Conflict state; set only for forms that edit a stored resource. */
  readonly edit?: EditView;
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
    edit,
    submitLabel = "Save",
    isDangerous,
    size,
    children,
  } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  return (
    <Dialog
      isOpen={isOpen}
      isCovered={edit?.conflict !== undefined}
      onClose={onClose}
      title={title}
      {...(size !== undefined && { size })}
    >
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
          {edit !== undefined && <EditNotices edit={edit} />}
          <FormError error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} {...(isDangerous && { color: "red.9" })}>
              {submitLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
