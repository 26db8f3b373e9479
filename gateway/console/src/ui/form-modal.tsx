// A form in a dialog. The server judges what was entered; its faults stand at their fields.

import { Button, Group, Stack } from "@mantine/core";
import type { FormEvent, ReactNode } from "react";
import { Dialog } from "./dialog.tsx";
import { FormError } from "./form-error.tsx";

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
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={title} {...(size !== undefined && { size })}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {children}
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
