import { Text } from "@mantine/core";
import type { ReactNode } from "react";
import { FormModal } from "./form-modal.tsx";

interface ConfirmProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onConfirm: () => void;
  readonly isSaving: boolean;
  readonly error: unknown;
  readonly confirmLabel: string;
  readonly children: ReactNode;
}

/** Dialog that asks for confirmation before a change that one click cannot undo. */
export function Confirm({ confirmLabel, onConfirm, children, ...rest }: ConfirmProps) {
  return (
    <FormModal {...rest} onSubmit={onConfirm} submitLabel={confirmLabel} isDangerous>
      <Text size="sm" component="div">
        {children}
      </Text>
    </FormModal>
  );
}
