import { Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useChange } from "../api/query.ts";
import { FormModal } from "../ui/form-modal.tsx";
import { plural } from "../ui/format.ts";
import { TextField } from "../ui/text-field.tsx";
import { typable } from "./counts.ts";
import { createErasure, refreshedByErasures } from "./erasure-requests.ts";
import classes from "./erasures.module.css";

interface ConfirmErasureProps {
  readonly user: string;
  readonly traces: number;
  readonly onClose: () => void;
}

export function ConfirmErasure({ user, traces, onClose }: ConfirmErasureProps) {
  const navigate = useNavigate();
  const [typed, setTyped] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const word = typable(user) ?? "erase";
  const erasure = useChange(createErasure, {
    refreshes: refreshedByErasures,
    onDone: ({ data }) => {
      if (data !== null) void navigate({ to: "/settings/erasures/$erasureId", params: { erasureId: data.id } });
    },
  });
  const submit = () => {
    setIsWrong(typed.trim() !== word);
    if (typed.trim() === word) erasure.mutate(user);
  };
  return (
    <FormModal
      title="Erase everything of this user?"
      submitLabel="Erase"
      isDangerous
      isOpen
      onClose={onClose}
      onSubmit={submit}
      isSaving={erasure.isPending}
      error={erasure.error}
    >
      <Text size="sm">{`${plural(traces, "trace")} and all that was made of them cannot be brought back.`}</Text>
      <TextField
        label={
          <span className={classes.user}>
            Type <strong>{word}</strong> to confirm
          </span>
        }
        data-autofocus
        autoComplete="off"
        value={typed}
        error={isWrong && "That is not it"}
        onChange={setTyped}
      />
    </FormModal>
  );
}
