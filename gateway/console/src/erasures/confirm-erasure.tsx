import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useNew } from "../edits/use-new.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { confirmation } from "./erased-user.ts";
import { createErasure, refreshedByErasures } from "./erasure-requests.ts";
import classes from "./erasures.module.css";

interface ConfirmErasureProps {
  readonly user: string;
  readonly traces: number;
  readonly onClose: () => void;
}

export function ConfirmErasure({ user, traces, onClose }: ConfirmErasureProps) {
  const navigate = useNavigate();
  const { word, validate } = confirmation(user);
  const { input, modal } = useNew({
    newDraft: () => ({ typed: "" }),
    validate,
    create: () => createErasure(user),
    refreshes: refreshedByErasures,
    onCreated: ({ data }) => {
      if (data !== null) void navigate({ to: "/settings/erasures/$erasureId", params: { erasureId: data.id } });
    },
  });
  return (
    <FormModal title="Erase all data of this user?" {...modal} submitLabel="Erase" isDangerous onClose={onClose}>
      <Text size="sm">{`${plural(traces, "trace")} and everything derived from them cannot be restored.`}</Text>
      <TextField
        label={
          <span className={classes.user}>
            Type <strong>{word}</strong> to confirm
          </span>
        }
        data-autofocus
        autoComplete="off"
        {...input("typed")}
      />
    </FormModal>
  );
}
