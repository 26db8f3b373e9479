// Shows the attachments of a trace: images as pictures, with links to the files.

import { Anchor, Group, Stack, Text } from "@mantine/core";
import { toProxyUrl } from "../api/send.ts";
import { count } from "../ui/format.ts";
import { Section } from "../ui/section.tsx";
import { getAttachment, type Trace } from "./trace-requests.ts";
import classes from "./traces.module.css";

/** Types that browsers show without running scripts. */
const isImage = /^image\/(?:png|jpeg|gif|webp)$/;

export function AttachmentsSection({ trace }: { readonly trace: Trace }) {
  return (
    <Section title="Attachments">
      <Stack gap="sm">
        {trace.attachments.map(({ hash, mediaType, bytes }) => {
          const url = toProxyUrl(getAttachment(trace.id, hash));
          return (
            <Stack key={hash} gap={4}>
              {isImage.test(mediaType) && (
                <img className={classes.attachment} src={url} alt={`Attachment ${mediaType}`} loading="lazy" />
              )}
              <Group gap="xs">
                <Anchor href={url} download size="sm">
                  {mediaType}
                </Anchor>
                <Text size="xs" c="dimmed">
                  {count(bytes)} bytes
                </Text>
              </Group>
            </Stack>
          );
        })}
      </Stack>
    </Section>
  );
}
