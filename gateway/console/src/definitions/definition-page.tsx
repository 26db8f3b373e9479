import { Stack, Text } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { Grid3x3, Pencil } from "lucide-react";
import { Reliable } from "../ui/badges.tsx";
import { CodeBlock } from "../ui/code.tsx";
import { Detail } from "../ui/detail.tsx";
import { Facts } from "../ui/facts.tsx";
import { missing } from "../ui/format.ts";
import { ActionLink, AnchorLink, ButtonLink } from "../ui/link.tsx";
import { Markdown } from "../ui/markdown.tsx";
import { Page } from "../ui/page.tsx";
import { Section } from "../ui/section.tsx";
import { Time } from "../ui/time.tsx";
import { TwoColumns } from "../ui/two-columns.tsx";
import { CalibrationSection } from "./calibration.tsx";
import { toDraft } from "./definition-draft.ts";
import { type Definition, getDefinition } from "./definition-requests.ts";
import { aboutType } from "./definition-types.ts";
import { DefinitionUses } from "./definition-uses.tsx";
import { definitionsParent } from "./definitions-parent.ts";
import { TryPanel } from "./try-panel.tsx";
import { useTrial } from "./use-trial.ts";

const route = getRouteApi("/signed-in/definitions/$definitionId");

export default function DefinitionPage() {
  const { definitionId } = route.useParams();
  return (
    <Detail request={getDefinition(definitionId)} title="Evaluator" parent={definitionsParent}>
      {({ data }) => <DefinitionDetail key={data.id} definition={data} />}
    </Detail>
  );
}

function DefinitionDetail({ definition }: { readonly definition: Definition }) {
  const { id, name, type } = definition;
  const trial = useTrial(toDraft(definition));
  return (
    <Page
      title={name}
      parent={definitionsParent}
      description={aboutType[type].description}
      requests={[getDefinition(id)]}
      actions={
        <>
          <ActionLink
            operation="PUT /v0/definitions/{id}"
            to="/definitions/$definitionId/edit"
            params={{ definitionId: id }}
            leftSection={<Pencil size={14} />}
          >
            Edit
          </ActionLink>
          <ButtonLink to="/definitions/links" search={{ name }} variant="default" leftSection={<Grid3x3 size={14} />}>
            Links
          </ButtonLink>
        </>
      }
    >
      <TwoColumns>
        <Stack gap="xl">
          <Settings definition={definition} />
          <DefinitionUses definition={definition} />
          {aboutType[type].needsModel && <CalibrationSection definitionId={id} />}
        </Stack>
        <Section title="Try it" description="May cost model tokens; nothing is saved">
          <TryPanel {...trial} />
        </Section>
      </TwoColumns>
    </Page>
  );
}

const matchModes = { exact_unordered: "Equal items, in any order", contains: "Items that contain the expected ones" };
const metrics = { f1: "F1", precision: "Precision", recall: "Recall" };

function Settings({ definition }: { readonly definition: Definition }) {
  const { type, globalConfig, styleGuideId, createdAt, modifiedAt, calibration } = definition;
  const { criterion, groundTruth, extract, matchMode, passThreshold, scoreMetric, settings } = globalConfig ?? {};
  const isMatch = type === "OUTPUT_MATCH";
  const isList = globalConfig?.type === "list";
  return (
    <Stack gap="lg">
      <Facts
        rows={[
          ["Type", aboutType[type].label],
          isMatch && ["Compares", isList ? "A list" : "A text"],
          isMatch && ["Byte by byte", settings?.exact === true ? "Yes" : "No"],
          isMatch && isList && ["Matches", matchModes[matchMode ?? "exact_unordered"]],
          isMatch && isList && ["Score", metrics[scoreMetric ?? "f1"]],
          isMatch && isList && ["Pass threshold", passThreshold ?? 0.8],
          extract !== undefined && ["Flags", extract.flags === "" ? missing : extract.flags],
          extract !== undefined && ["Group", [extract.group].flat().join(", ")],
          styleGuideId !== null && [
            "Style guide",
            <AnchorLink key="guide" to="/style-guides/$styleGuideId" params={{ styleGuideId }} inherit>
              Open
            </AnchorLink>,
          ],
          ["Model", aboutType[type].needsModel ? "Needed" : "Not needed"],
          calibration?.reliable != null && ["Judge", <Reliable key="judge" value={calibration.reliable} />],
          ["Created", <Time key="created" value={createdAt} />],
          ["Changed", <Time key="changed" value={modifiedAt} />],
        ]}
      />
      {criterion !== undefined && (
        <Section title="Criterion">
          <Markdown text={criterion} />
        </Section>
      )}
      {type === "FACT" && (
        <Section title="Ground truth">
          {groundTruth === undefined ? (
            <Text size="sm" c="dimmed">
              None: each link must set an expected answer.
            </Text>
          ) : (
            <Markdown text={groundTruth} />
          )}
        </Section>
      )}
      {extract !== undefined && (
        <Section title="Pattern">
          <CodeBlock text={extract.pattern} label="pattern" />
        </Section>
      )}
    </Stack>
  );
}
