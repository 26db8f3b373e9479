{{- /* Mistakes that a schema cannot tell in a sentence. All are told at once. */ -}}
{{- define "ems.validate" -}}
{{- $faults := list -}}
{{- $values := .Values -}}
{{- $mesh := include "ems.mesh" . | fromYaml -}}
{{- if not $values.image.repository -}}
{{- $faults = append $faults "image.repository is required: the registry and repository of the product's image." -}}
{{- end -}}
{{- if regexMatch "@|:[^/]*$" $values.image.repository -}}
{{- $faults = append $faults "image.repository has a tag or a digest in it: they are given as image.tag and image.digest." -}}
{{- end -}}
{{- if and $values.image.tag (not (regexMatch "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$" $values.image.tag)) -}}
{{- $faults = append $faults "image.tag must be letters, digits and . _ -, at most 128; a digest is given as image.digest." -}}
{{- end -}}
{{- if eq $values.image.tag "latest" -}}
{{- $faults = append $faults "image.tag may not be latest: migrations run once for an image, so its name must change with it." -}}
{{- end -}}
{{- if and $values.image.digest (not (regexMatch "^sha256:[0-9a-f]{64}$" $values.image.digest)) -}}
{{- $faults = append $faults "image.digest must be sha256: and 64 digits from 0 to f." -}}
{{- end -}}
{{- if not $values.secrets.existingSecret -}}
{{- $faults = append $faults "secrets.existingSecret is required: a Secret with RPC_PRIVATE_KEY_<NAME> of each process, RPC_PUBLIC_KEYS, API_KEY_PEPPERS and SEALING_KEYS." -}}
{{- end -}}
{{- range $name, $role := $values.database.roles -}}
{{- if not (or $role.existingSecret $values.database.existingSecret) -}}
{{- $faults = append $faults (printf "database.roles.%s has no Secret: give database.existingSecret, or its own existingSecret." $name) -}}
{{- end -}}
{{- end -}}
{{- if and (eq $values.database.form "parts") (not $values.database.host) -}}
{{- $faults = append $faults "database.host is required when database.form is parts." -}}
{{- end -}}
{{- if regexMatch "^[?]" $values.database.parameters -}}
{{- $faults = append $faults "database.parameters begins with a question mark, which the chart writes itself." -}}
{{- end -}}
{{- if regexMatch "sslmode=(prefer|require|verify-ca)(&|$)" $values.database.parameters -}}
{{- $faults = append $faults "database.parameters must say sslmode=verify-full: certificates are always verified. A private authority's stands in database.ca.existingSecret." -}}
{{- end -}}
{{- if and (eq $values.database.form "uri") (or $values.database.host $values.database.parameters $values.database.replica.host) -}}
{{- $faults = append $faults "database.host, parameters and replica.host have no meaning when database.form is uri: they stand in the URLs." -}}
{{- end -}}
{{- if and (eq $values.database.form "parts") $values.database.replica.key -}}
{{- $faults = append $faults "database.replica.key has no meaning when database.form is parts: give replica.host; the password is that of reporting." -}}
{{- end -}}
{{- if and $values.nats.url $values.nats.existingSecret -}}
{{- $faults = append $faults "nats.url and nats.existingSecret are two ways to say the same: give one." -}}
{{- end -}}
{{- if contains "@" $values.nats.url -}}
{{- $faults = append $faults "nats.url has a user or token in it, which everybody could read: put the URL into a Secret and name it in nats.existingSecret." -}}
{{- end -}}
{{- range $name, $process := $mesh -}}
{{- if has "nats" $process.uses -}}
{{- $own := index $values.nats.users $name | default dict -}}
{{- $nats := include "ems.nats" (list $ $name) | fromYaml -}}
{{- if and $values.nats.url (or $own.existingSecret $own.urlKey) -}}
{{- $faults = append $faults (printf "nats.users.%s has a Secret or key for a URL, but nats.url is everybody's: give one." $name) -}}
{{- end -}}
{{- if and $own.urlKey (not $nats.secret) -}}
{{- $faults = append $faults (printf "nats.users.%s.urlKey needs nats.existingSecret beside it, or an existingSecret of its own." $name) -}}
{{- end -}}
{{- if and $nats.credentials (not (or $nats.url $nats.secret)) -}}
{{- $faults = append $faults "nats.credentials needs nats.url or nats.existingSecret beside it." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $values.mail.existingSecret (not (and $values.mail.from $values.mail.feedbackTo)) -}}
{{- $faults = append $faults "mail.from and mail.feedbackTo are required when mail.existingSecret is set." -}}
{{- end -}}
{{- if and $values.ingress.enabled (not $values.ingress.hosts) -}}
{{- $faults = append $faults "ingress.hosts is required when ingress.enabled is true." -}}
{{- end -}}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) -}}
{{- $faults = append $faults "httpRoute.parentRefs is required when httpRoute.enabled is true: the Gateways that it belongs to." -}}
{{- end -}}
{{- with $values.networkPolicy -}}
{{- if and .enabled $values.monitoring.serviceMonitor.enabled (not .adminFrom) -}}
{{- $faults = append $faults "networkPolicy.adminFrom is required when monitoring.serviceMonitor.enabled is true: where Prometheus runs, which could not reach /metrics." -}}
{{- end -}}
{{- if and .enabled (get $values.settings "OTEL_EXPORTER_OTLP_ENDPOINT") (not .extraEgress) -}}
{{- $faults = append $faults "networkPolicy.extraEgress is required when settings.OTEL_EXPORTER_OTLP_ENDPOINT is set: nothing else leads to the collector." -}}
{{- end -}}
{{- end -}}
{{- $known := list -}}
{{- range $process := $mesh -}}{{- $known = concat $known $process.settings -}}{{- end -}}
{{- range $variable, $_ := $values.settings -}}
{{- $faults = concat $faults (include "ems.settingFaults" (list "settings" $variable $known $mesh) | fromJsonArray) -}}
{{- end -}}
{{- range $variable, $_ := $values.defaults.settings -}}
{{- $faults = concat $faults (include "ems.settingFaults" (list "defaults.settings" $variable $known $mesh) | fromJsonArray) -}}
{{- end -}}
{{- $faults = concat $faults (include "ems.envFaults" (list "extraEnv" $values.extraEnv $mesh) | fromJsonArray) -}}
{{- range $name, $process := $mesh -}}
{{- $own := index $values.components $name | default dict -}}
{{- $place := printf "components.%s" $name -}}
{{- range $variable, $_ := $own.settings -}}
{{- $faults = concat $faults (include "ems.settingFaults" (list (printf "%s.settings" $place) $variable $process.settings $mesh) | fromJsonArray) -}}
{{- end -}}
{{- $component := include "ems.component" (list $ $name) | fromYaml -}}
{{- $faults = concat $faults (include "ems.envFaults" (list (printf "%s.extraEnv" $place) $component.extraEnv $mesh) | fromJsonArray) -}}
{{- with $component.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- $faults = append $faults (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $place) -}}
{{- end -}}
{{- if and .enabled (not (dig "requests" "cpu" "" $component.resources)) -}}
{{- $faults = append $faults (printf "%s.autoscaling needs resources.requests.cpu: use is measured against it." $place) -}}
{{- end -}}
{{- end -}}
{{- if not (has $component.strategy.type (list "RollingUpdate" "Recreate")) -}}
{{- $faults = append $faults (printf "%s.strategy.type must be RollingUpdate or Recreate." $place) -}}
{{- end -}}
{{- with $component.podDisruptionBudget -}}
{{- if and .enabled (hasKey . "minAvailable") (hasKey . "maxUnavailable") -}}
{{- $faults = append $faults (printf "%s.podDisruptionBudget has both maxUnavailable and minAvailable: give one." $place) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $notifications := include "ems.settings" (list $ "notifications" $mesh.notifications) | fromYaml -}}
{{- if and $notifications.WEBHOOK_ALLOW_CIDRS (ne (get $notifications "WEBHOOK_ALLOW_PRIVATE") "yes") -}}
{{- $faults = append $faults "WEBHOOK_ALLOW_CIDRS opens private addresses to webhooks: it needs WEBHOOK_ALLOW_PRIVATE: \"yes\" beside it." -}}
{{- end -}}
{{- $gateway := include "ems.settings" (list $ "gateway" $mesh.gateway) | fromYaml -}}
{{- if eq (toString $gateway.TRUST_PROXY) "true" -}}
{{- $faults = append $faults "TRUST_PROXY may not be true, which would believe whatever address a client writes: it is a number of proxies, or their addresses as CIDRs." -}}
{{- end -}}
{{- if $faults -}}
{{- fail (printf "\n\nThe values cannot be used:\n  %s\n" (join "\n  " (uniq $faults))) -}}
{{- end -}}
{{- end -}}

{{- /* A JSON array of sentences: (list place variable known mesh) */ -}}
{{- define "ems.settingFaults" -}}
{{- $place := index . 0 -}}
{{- $variable := index . 1 -}}
{{- $faults := list -}}
{{- if not (has $variable (index . 2)) -}}
{{- $managed := list "OWNER_DATABASE_URL" -}}
{{- range index . 3 -}}{{- $managed = concat $managed .managed -}}{{- end -}}
{{- if has $variable $managed -}}
{{- $faults = append $faults (printf "%s.%s is set by the chart from other values." $place $variable) -}}
{{- else -}}
{{- $faults = append $faults (printf "%s.%s is no setting of it; variables for libraries stand in extraEnv." $place $variable) -}}
{{- end -}}
{{- end -}}
{{- toJson $faults -}}
{{- end -}}

{{- /* A JSON array of sentences: (list place variables mesh) */ -}}
{{- define "ems.envFaults" -}}
{{- $place := index . 0 -}}
{{- $managed := list "OWNER_DATABASE_URL" -}}
{{- $settings := list -}}
{{- range index . 2 -}}{{- $managed = concat $managed .managed -}}{{- $settings = concat $settings .settings -}}{{- end -}}
{{- $faults := list -}}
{{- range index . 1 -}}
{{- if has .name $managed -}}
{{- $faults = append $faults (printf "%s has %s, which is set by the chart from other values." $place .name) -}}
{{- else if has .name $settings -}}
{{- $faults = append $faults (printf "%s has %s, which is a setting: it stands in settings." $place .name) -}}
{{- end -}}
{{- end -}}
{{- toJson $faults -}}
{{- end -}}
