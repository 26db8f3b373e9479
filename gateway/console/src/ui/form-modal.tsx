// Form in a dialog.

import { Button, Group } from "@mantine/core";
import type { ReactNode } from "react";
import { confirmDiscard } from "../edits/discard.tsx";
import { forgetUnsaved } from "../edits/unsaved.ts";
import { Dialog } from "./dialog.tsx";
import { Form, type FormState } from "./form.tsx";

interface FormModalProps extends FormState {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly submitLabel?: string;
  readonly isDangerous?: boolean;
  readonly size?: string;
  readonly children: ReactNode;
}

export function FormModal({
  isOpen,
  onClose,
  submitLabel = "Save",
  isDangerous,
  size,
  children,
  ...form
}: FormModalProps) {
  const { title, isSaving, unsaved } = form;
  const isDirty = unsaved?.isDirty ?? false;
  const dismiss = async () => {
    if (!isDirty || (await confirmDiscard())) onClose();
  };
  const cancel = () => {
    forgetUnsaved(unsaved?.token ?? {});
    onClose();
  };
  return (
    <Dialog
      isOpen={isOpen}
      isDirty={isDirty}
      onClose={() => void dismiss()}
      title={title}
      {...(size !== undefined && { size })}
    >
      <Form
        {...form}
        footer={
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
            <Button type="submit" loading={isSaving} {...(isDangerous && { color: "red.9" })}>
              {submitLabel}
            </Button>
          </Group>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
