{{- /* Errors that the schema cannot express, reported together. */ -}}
{{- define "ems.validate" -}}
{{- $errors := list -}}
{{- $values := .Values -}}
{{- $mesh := include "ems.mesh" . | fromYaml -}}
{{- if not $values.image.repository -}}
{{- $errors = append $errors "image.repository is required: the registry and repository of the product's image." -}}
{{- end -}}
{{- if regexMatch "@|:[^/]*$" $values.image.repository -}}
{{- $errors = append $errors "image.repository contains a tag or a digest: set image.tag and image.digest instead." -}}
{{- end -}}
{{- if and $values.image.tag (not (regexMatch "^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$" $values.image.tag)) -}}
{{- $errors = append $errors "image.tag must be letters, digits and . _ -, at most 128; set image.digest for a digest." -}}
{{- end -}}
{{- if eq $values.image.tag "latest" -}}
{{- $errors = append $errors "image.tag must not be latest: migrations run once per image, so its name must change with it." -}}
{{- end -}}
{{- if and $values.image.digest (not (regexMatch "^sha256:[0-9a-f]{64}$" $values.image.digest)) -}}
{{- $errors = append $errors "image.digest must be sha256: and 64 digits from 0 to f." -}}
{{- end -}}
{{- if not $values.secrets.existingSecret -}}
{{- $errors = append $errors "secrets.existingSecret is required: a Secret with RPC_PRIVATE_KEY_<NAME> of each process, RPC_PUBLIC_KEYS, API_KEY_PEPPERS and SEALING_KEYS." -}}
{{- end -}}
{{- range $name, $role := include "ems.roles" . | fromYaml -}}
{{- if not (or $role.existingSecret $values.database.existingSecret) -}}
{{- $errors = append $errors (printf "database.roles.%s has no Secret: set database.existingSecret, or its own existingSecret." $name) -}}
{{- end -}}
{{- end -}}
{{- if and $values.backup.enabled (not $values.backup.existingClaim) -}}
{{- $errors = append $errors "backup.existingClaim is required when backup.enabled: the PersistentVolumeClaim for the files." -}}
{{- end -}}
{{- if and (eq $values.database.form "parts") (not $values.database.host) -}}
{{- $errors = append $errors "database.host is required when database.form is parts." -}}
{{- end -}}
{{- if regexMatch "^[?]" $values.database.parameters -}}
{{- $errors = append $errors "database.parameters must not begin with a question mark, which the chart adds." -}}
{{- end -}}
{{- if regexMatch "sslmode=(prefer|require|verify-ca)(&|$)" $values.database.parameters -}}
{{- $errors = append $errors "database.parameters must contain sslmode=verify-full: certificates are always verified. Set database.ca.existingSecret for a private authority." -}}
{{- end -}}
{{- if and (eq $values.database.form "uri") (or $values.database.host $values.database.parameters $values.database.replica.host) -}}
{{- $errors = append $errors "database.host, parameters and replica.host have no effect when database.form is uri: the URLs contain them." -}}
{{- end -}}
{{- if and (eq $values.database.form "parts") $values.database.replica.key -}}
{{- $errors = append $errors "database.replica.key has no effect when database.form is parts: set replica.host; the password is that of reporting." -}}
{{- end -}}
{{- if and $values.nats.url $values.nats.existingSecret -}}
{{- $errors = append $errors "nats.url and nats.existingSecret exclude each other: set one." -}}
{{- end -}}
{{- if contains "@" $values.nats.url -}}
{{- $errors = append $errors "nats.url contains a user or token, which is not secret there: put the URL into a Secret and name it in nats.existingSecret." -}}
{{- end -}}
{{- range $name, $process := $mesh -}}
{{- if has "nats" $process.uses -}}
{{- $own := index $values.nats.users $name | default dict -}}
{{- $nats := include "ems.nats" (list $ $name) | fromYaml -}}
{{- if and $values.nats.url (or $own.existingSecret $own.urlKey) -}}
{{- $errors = append $errors (printf "nats.users.%s has a Secret or key for a URL, but nats.url applies to all: set one." $name) -}}
{{- end -}}
{{- if and $own.urlKey (not $nats.secret) -}}
{{- $errors = append $errors (printf "nats.users.%s.urlKey requires nats.existingSecret, or its own existingSecret." $name) -}}
{{- end -}}
{{- if and $nats.credentials (not (or $nats.url $nats.secret)) -}}
{{- $errors = append $errors "nats.credentials requires nats.url or nats.existingSecret." -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- with $values.clickhouse -}}
{{- if contains "@" .url -}}
{{- $errors = append $errors "clickhouse.url contains a user or password, which is not secret there: set clickhouse.user and clickhouse.existingSecret." -}}
{{- end -}}
{{- if and .url (not .existingSecret) -}}
{{- $errors = append $errors "clickhouse.existingSecret is required when clickhouse.url is set: the Secret with the user's password." -}}
{{- end -}}
{{- if and (not .url) (or .existingSecret .cluster .ca.existingSecret) -}}
{{- $errors = append $errors "clickhouse.existingSecret, cluster and ca have no effect without clickhouse.url." -}}
{{- end -}}
{{- if and .ca.existingSecret (hasPrefix "http://" .url) -}}
{{- $errors = append $errors "clickhouse.ca requires an https:// URL in clickhouse.url." -}}
{{- end -}}
{{- end -}}
{{- if and $values.rpc.tlsSecret (eq $values.probes.readiness "grpc") -}}
{{- $errors = append $errors "probes.readiness must be http when rpc.tlsSecret is set: the kubelet's gRPC probes do not support TLS." -}}
{{- end -}}
{{- $names := list -}}
{{- range $index, $caller := $values.callers -}}
{{- $path := printf "callers[%d]" $index -}}
{{- if hasKey $mesh $caller.name -}}
{{- $errors = append $errors (printf "%s.name: %s is a process of the product." $path $caller.name) -}}
{{- end -}}
{{- if has $caller.name $names -}}
{{- $errors = append $errors (printf "%s.name: %s occurs twice." $path $caller.name) -}}
{{- end -}}
{{- $names = append $names $caller.name -}}
{{- range $caller.rpcs -}}
{{- $service := index (splitList "." .) 1 -}}
{{- if or (eq $service "gateway") (not (hasKey $mesh $service)) -}}
{{- $errors = append $errors (printf "%s.rpcs: %s is not an RPC of a service." $path .) -}}
{{- end -}}
{{- end -}}
{{- if and $values.networkPolicy.enabled (not $caller.from) -}}
{{- $errors = append $errors (printf "%s.from is required when networkPolicy.enabled is true: the pods of %s, as NetworkPolicy peers." $path $caller.name) -}}
{{- end -}}
{{- end -}}
{{- if and (or $values.firstKey.existingSecret $values.database.admin.existingSecret) (not $values.migrations.enabled) -}}
{{- $errors = append $errors "firstKey and database.admin require migrations.enabled: the Job of migrations does both." -}}
{{- end -}}
{{- if and $values.firstKey.email (not $values.firstKey.user) -}}
{{- $errors = append $errors "firstKey.email requires firstKey.user." -}}
{{- end -}}
{{- if and $values.mail.existingSecret (not (and $values.mail.from $values.mail.feedbackTo)) -}}
{{- $errors = append $errors "mail.from and mail.feedbackTo are required when mail.existingSecret is set." -}}
{{- end -}}
{{- if and $values.ingress.enabled (not $values.ingress.hosts) -}}
{{- $errors = append $errors "ingress.hosts is required when ingress.enabled is true." -}}
{{- end -}}
{{- if and $values.httpRoute.enabled (not $values.httpRoute.parentRefs) -}}
{{- $errors = append $errors "httpRoute.parentRefs is required when httpRoute.enabled is true: the Gateways that it belongs to." -}}
{{- end -}}
{{- with $values.grpcRoute -}}
{{- if and .enabled (not .parentRefs) -}}
{{- $errors = append $errors "grpcRoute.parentRefs is required when grpcRoute.enabled is true: the Gateways that it belongs to." -}}
{{- end -}}
{{- if and .enabled (not $values.service.grpcPort) -}}
{{- $errors = append $errors "grpcRoute requires service.grpcPort, which is 0: the gateway has no gRPC port." -}}
{{- end -}}
{{- $http := $values.httpRoute -}}
{{- if and .enabled $http.enabled (eq (toJson .parentRefs) (toJson $http.parentRefs)) (eq (toJson (sortAlpha .hostnames)) (toJson (sortAlpha $http.hostnames))) -}}
{{- $errors = append $errors "grpcRoute and httpRoute have the same hostnames at the same Gateways, which reject one of them: give gRPC its own host name or listener (sectionName)." -}}
{{- end -}}
{{- end -}}
{{- with $values.service -}}
{{- if and .externalTrafficPolicy (eq .type "ClusterIP") -}}
{{- $errors = append $errors "service.externalTrafficPolicy requires service.type NodePort or LoadBalancer." -}}
{{- end -}}
{{- if and (or .nodePort .grpcNodePort) (eq .type "ClusterIP") -}}
{{- $errors = append $errors "service.nodePort and grpcNodePort require service.type NodePort or LoadBalancer." -}}
{{- end -}}
{{- if and (or .loadBalancerSourceRanges .loadBalancerClass) (ne .type "LoadBalancer") -}}
{{- $errors = append $errors "service.loadBalancerSourceRanges and loadBalancerClass require service.type LoadBalancer." -}}
{{- end -}}
{{- if and (has "IPv6" .ipFamilies) (ne $values.listenAddress "::") -}}
{{- $errors = append $errors "service.ipFamilies has IPv6, but no process listens on IPv6: set listenAddress to \"::\"." -}}
{{- end -}}
{{- end -}}
{{- with $values.networkPolicy -}}
{{- if and .enabled $values.monitoring.serviceMonitor.enabled (not .adminFrom) -}}
{{- $errors = append $errors "networkPolicy.adminFrom is required when monitoring.serviceMonitor.enabled is true: the peers of Prometheus, which could not reach /metrics otherwise." -}}
{{- end -}}
{{- if and .enabled (get $values.settings "OTEL_EXPORTER_OTLP_ENDPOINT") (not .extraEgress) -}}
{{- $errors = append $errors "networkPolicy.extraEgress is required when settings.OTEL_EXPORTER_OTLP_ENDPOINT is set: no other rule allows traffic to the collector." -}}
{{- end -}}
{{- end -}}
{{- $settings := list -}}
{{- range $process := $mesh -}}{{- $settings = concat $settings $process.settings -}}{{- end -}}
{{- range $variable, $_ := $values.settings -}}
{{- $errors = concat $errors (include "ems.settingErrors" (list "settings" $variable $settings $mesh) | fromJsonArray) -}}
{{- end -}}
{{- range $variable, $_ := $values.defaults.settings -}}
{{- $errors = concat $errors (include "ems.settingErrors" (list "defaults.settings" $variable $settings $mesh) | fromJsonArray) -}}
{{- end -}}
{{- $errors = concat $errors (include "ems.envErrors" (list "extraEnv" $values.extraEnv $mesh) | fromJsonArray) -}}
{{- $errors = concat $errors (include "ems.envErrors" (list "migrations.extraEnv" $values.migrations.extraEnv $mesh) | fromJsonArray) -}}
{{- range $name, $process := $mesh -}}
{{- $own := index $values.components $name | default dict -}}
{{- $path := printf "components.%s" $name -}}
{{- range $variable, $_ := $own.settings -}}
{{- $errors = concat $errors (include "ems.settingErrors" (list (printf "%s.settings" $path) $variable $process.settings $mesh) | fromJsonArray) -}}
{{- end -}}
{{- $component := include "ems.component" (list $ $name) | fromYaml -}}
{{- $errors = concat $errors (include "ems.envErrors" (list (printf "%s.extraEnv" $path) $component.extraEnv $mesh) | fromJsonArray) -}}
{{- with $component.autoscaling -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- $errors = append $errors (printf "%s.autoscaling.minReplicas is greater than maxReplicas." $path) -}}
{{- end -}}
{{- if and .enabled $component.keda.enabled -}}
{{- $errors = append $errors (printf "%s has both autoscaling and keda: enable one." $path) -}}
{{- end -}}
{{- if and .enabled (not .targetCPUUtilizationPercentage) (not .metrics) -}}
{{- $errors = append $errors (printf "%s.autoscaling has nothing to scale by: set targetCPUUtilizationPercentage or metrics." $path) -}}
{{- end -}}
{{- if and .enabled .targetCPUUtilizationPercentage (not (dig "requests" "cpu" "" $component.resources)) -}}
{{- $errors = append $errors (printf "%s.autoscaling requires resources.requests.cpu: utilization is relative to it." $path) -}}
{{- end -}}
{{- end -}}
{{- with $component.keda -}}
{{- if and .enabled (not .triggers) -}}
{{- $errors = append $errors (printf "%s.keda.triggers is required when %s.keda.enabled is true: the triggers to scale by." $path $path) -}}
{{- end -}}
{{- if and .enabled (gt (int .minReplicas) (int .maxReplicas)) -}}
{{- $errors = append $errors (printf "%s.keda.minReplicas is greater than maxReplicas." $path) -}}
{{- end -}}
{{- end -}}
{{- if not (has $component.strategy.type (list "RollingUpdate" "Recreate")) -}}
{{- $errors = append $errors (printf "%s.strategy.type must be RollingUpdate or Recreate." $path) -}}
{{- end -}}
{{- with $component.podDisruptionBudget -}}
{{- if and .enabled (hasKey . "minAvailable") (hasKey . "maxUnavailable") -}}
{{- $errors = append $errors (printf "%s.podDisruptionBudget has both maxUnavailable and minAvailable: set one." $path) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $connections := include "ems.connections" . | int -}}
{{- $connectionsMax := int $values.database.maxConnections -}}
{{- if and $connectionsMax (gt (add $connections 10) $connectionsMax) -}}
{{- $errors = append $errors (printf "the processes may open %d connections to PostgreSQL during a rollout, which leaves fewer than 10 of its %d for others: set database.maxConnections to its max_connections, or lower DATABASE_POOL_MAX, RELAY_POOL_MAX or replicas in the values." $connections $connectionsMax) -}}
{{- end -}}
{{- $notifications := include "ems.settings" (list $ "notifications" $mesh.notifications) | fromYaml -}}
{{- if and $notifications.WEBHOOK_ALLOW_CIDRS (ne (get $notifications "WEBHOOK_ALLOW_PRIVATE") "yes") -}}
{{- $errors = append $errors "WEBHOOK_ALLOW_CIDRS allows webhooks to private addresses: it requires WEBHOOK_ALLOW_PRIVATE: \"yes\"." -}}
{{- end -}}
{{- $gateway := include "ems.settings" (list $ "gateway" $mesh.gateway) | fromYaml -}}
{{- if eq (toString $gateway.TRUST_PROXY) "true" -}}
{{- $errors = append $errors "TRUST_PROXY must not be true, which would trust any address that a client sends: set the number of proxies, or their addresses as CIDRs." -}}
{{- end -}}
{{- if $errors -}}
{{- fail (printf "\n\nThe values are invalid:\n  %s\n" (join "\n  " (uniq $errors))) -}}
{{- end -}}
{{- end -}}

{{- /* JSON array of errors: (list path variable settings mesh) */ -}}
{{- define "ems.settingErrors" -}}
{{- $path := index . 0 -}}
{{- $variable := index . 1 -}}
{{- $errors := list -}}
{{- if not (has $variable (index . 2)) -}}
{{- $managed := list "OWNER_DATABASE_URL" -}}
{{- range index . 3 -}}{{- $managed = concat $managed .managed -}}{{- end -}}
{{- if has $variable $managed -}}
{{- $errors = append $errors (printf "%s.%s is set by the chart from other values." $path $variable) -}}
{{- else -}}
{{- $errors = append $errors (printf "%s.%s is not one of its settings; put variables for libraries into extraEnv." $path $variable) -}}
{{- end -}}
{{- end -}}
{{- toJson $errors -}}
{{- end -}}

{{- /* JSON array of errors: (list path variables mesh) */ -}}
{{- define "ems.envErrors" -}}
{{- $path := index . 0 -}}
{{- $managed := list "OWNER_DATABASE_URL" -}}
{{- $settings := list -}}
{{- range index . 2 -}}{{- $managed = concat $managed .managed -}}{{- $settings = concat $settings .settings -}}{{- end -}}
{{- $errors := list -}}
{{- range index . 1 -}}
{{- if has .name $managed -}}
{{- $errors = append $errors (printf "%s has %s, which is set by the chart from other values." $path .name) -}}
{{- else if has .name $settings -}}
{{- $errors = append $errors (printf "%s has %s, which is a setting: it belongs in settings." $path .name) -}}
{{- end -}}
{{- end -}}
{{- toJson $errors -}}
{{- end -}}
