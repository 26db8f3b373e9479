// Page to erase an end user's data: enter the user, count the data, confirm.

import { Group, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Eraser } from "lucide-react";
import { type FormEvent, useEffect } from "react";
import { read } from "../api/query.ts";
import { useDraft } from "../edits/use-draft.ts";
import { useRefusal } from "../session/permissions.ts";
import { ActionButton } from "../ui/action.tsx";
import { AnchorLink } from "../ui/link.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { ErrorState } from "../ui/states.tsx";
import { TextField } from "../ui/text-field.tsx";
import { ConfirmErasure } from "./confirm-erasure.tsx";
import { isNothing, uncounted } from "./counts.ts";
import { CountsTable } from "./counts-table.tsx";
import { validateUser } from "./erased-user.ts";
import { countUserData, createErasure } from "./erasure-requests.ts";
import classes from "./erasures.module.css";

const route = getRouteApi("/signed-in/settings/erasures/new");
const parent = { to: "/settings/erasures", label: "Erasures" } as const;

export default function NewErasurePage() {
  const { user } = route.useSearch();
  const navigate = route.useNavigate();
  const { draft, set, setErrors, inputs } = useDraft(() => ({ user: user ?? "" }));
  // Counting needs the same permission, because it is a dry run of an erasure.
  const mayErase = useRefusal("POST /v0/erasures") === undefined;
  useEffect(() => set({ user: user ?? "" }), [set, user]);
  const count = (event: FormEvent) => {
    event.preventDefault();
    const errors = validateUser(draft);
    setErrors(errors);
    void navigate({ search: errors.user === undefined ? draft : {} });
  };
  return (
    <Page
      title="Erase an end user"
      parent={parent}
      description="Counts the user's data first. Nothing is erased until you confirm"
      requests={user === undefined ? [] : [countUserData(user), createErasure(user)]}
    >
      <Stack gap="lg" className={classes.form}>
        <form onSubmit={count} noValidate>
          <Stack gap="sm">
            <TextField
              label="End user"
              description="Exactly as in traces; not a user of this console"
              required
              {...inputs.input("user")}
            />
            <Group>
              <ActionButton
                operation="POST /v0/erasures"
                type="submit"
                variant={user === undefined ? "filled" : "default"}
              >
                Count the data
              </ActionButton>
            </Group>
          </Stack>
        </form>
        {user !== undefined && mayErase && <Found key={user} user={user} />}
      </Stack>
    </Page>
  );
}

function Found({ user }: { readonly user: string }) {
  const { data, error, refetch } = useQuery({ ...read(countUserData(user)), gcTime: 0, staleTime: 0 });
  const [isConfirming, confirm] = useDisclosure();
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={320} aria-busy aria-label="Counting" role="status" />;
  const isEmpty = isNothing(data.found);
  return (
    <Section
      title={isEmpty ? "No data of this user" : "Data of this user"}
      description={
        <span className={classes.user}>
          {user} ·{" "}
          <AnchorLink to="/settings/erasures" search={{ user }} inherit>
            erasures of this user
          </AnchorLink>
        </span>
      }
    >
      {isEmpty ? (
        <Text size="sm">No trace has exactly this user. Data that was erased before is not counted.</Text>
      ) : (
        <>
          <CountsTable label="Found" counts={data.found} without={uncounted} />
          <Text size="sm" c="dimmed">
            Copies in judge jobs, deliveries, the event log and the audit log are erased too. Scores, verdicts and
            totals are kept. New data that the application sends is stored: stop it first.
          </Text>
          <Group>
            <ActionButton
              operation="POST /v0/erasures"
              color="red.9"
              leftSection={<Eraser size={14} />}
              onClick={confirm.open}
            >
              Erase all data
            </ActionButton>
          </Group>
        </>
      )}
      {isConfirming && <ConfirmErasure user={user} traces={data.found.traces} onClose={confirm.close} />}
    </Section>
  );
}
