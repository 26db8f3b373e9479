{{- /* Environment of processes. */ -}}

{{- /* (list variable secret key) */ -}}
{{- define "ems.fromSecret" -}}
- name: {{ index . 0 }}
  valueFrom:
    secretKeyRef:
      name: {{ index . 1 | quote }}
      key: {{ index . 2 | quote }}
{{- end -}}

{{- /* Variable with the database URL of a role: (dict root variable role key host); key and host are for a replica. */ -}}
{{- define "ems.databaseUrl" -}}
{{- $database := .root.Values.database -}}
{{- $role := index $database.roles .role -}}
{{- $secret := default $database.existingSecret $role.existingSecret -}}
{{- if eq $database.form "uri" -}}
{{ include "ems.fromSecret" (list .variable $secret (.key | default $role.key | default (printf "%s-uri" .role))) }}
{{- else -}}
{{- $password := printf "%s_PASSWORD" .variable -}}
{{- $parameters := include "ems.databaseParameters" .root -}}
{{ include "ems.fromSecret" (list $password $secret ($role.key | default (printf "%s-password" .role))) }}
- name: {{ .variable }}
  value: {{ printf "postgres://%sems_%s:$(%s)@%s:%d/%s%s" $database.rolePrefix (replace "-" "_" .role) $password (.host | default $database.host) (int $database.port) $database.name $parameters | quote }}
{{- end -}}
{{- end -}}

{{- /* Roles in use. The backup role is included only with backups, because Secrets of older installations lack it. */ -}}
{{- define "ems.roles" -}}
{{- toYaml (ternary .Values.database.roles (omit .Values.database.roles "backup") .Values.backup.enabled) -}}
{{- end -}}

{{- /* Query parameters of a database URL, with the question mark. */ -}}
{{- define "ems.databaseParameters" -}}
{{- $database := .Values.database -}}
{{- $ca := ternary "sslrootcert=/etc/ems/postgres/ca.crt" "" (ne $database.ca.existingSecret "") -}}
{{- with without (list $database.parameters $ca) "" }}?{{ join "&" . }}{{ end -}}
{{- end -}}

{{- /* Mount of PostgreSQL's certificate authority. */ -}}
{{- define "ems.databaseCaMount" -}}
- name: postgres-ca
  mountPath: /etc/ems/postgres
  readOnly: true
{{- end -}}

{{- define "ems.databaseCaVolume" -}}
- name: postgres-ca
  secret:
    secretName: {{ .Values.database.ca.existingSecret }}
    items:
      - key: {{ .Values.database.ca.key }}
        path: ca.crt
{{- end -}}

{{- /* NATS connection of a component; its own values override the common ones: (list root name) */ -}}
{{- define "ems.nats" -}}
{{- $nats := (index . 0).Values.nats -}}
{{- $own := index $nats.users (index . 1) | default dict -}}
url: {{ $nats.url | quote }}
secret: {{ $own.existingSecret | default $nats.existingSecret | quote }}
urlKey: {{ $own.urlKey | default $nats.urlKey | quote }}
credentials: {{ $own.credentialsSecret | default $nats.credentials.existingSecret | quote }}
credentialsKey: {{ $own.credentialsKey | default $nats.credentials.key | quote }}
{{- end -}}

{{- /* (list root name) */ -}}
{{- define "ems.natsEnv" -}}
{{- with include "ems.nats" . | fromYaml }}
{{- if .secret }}
{{ include "ems.fromSecret" (list "NATS_URL" .secret .urlKey) }}
{{- else if .url }}
- name: NATS_URL
  value: {{ .url | quote }}
{{- end }}
{{- if .credentials }}
- name: NATS_CREDENTIALS_FILE
  value: /etc/ems/nats/credentials
{{- end }}
{{- end }}
{{- end -}}

{{- /* ClickHouse variables, for the Jobs and for components that use ClickHouse. */ -}}
{{- define "ems.clickhouseEnv" -}}
{{- with .Values.clickhouse }}
{{- if .url }}
- name: CLICKHOUSE_URL
  value: {{ .url | quote }}
- name: CLICKHOUSE_USER
  value: {{ .user | quote }}
{{ include "ems.fromSecret" (list "CLICKHOUSE_PASSWORD" .existingSecret .passwordKey) }}
- name: CLICKHOUSE_DATABASE
  value: {{ .database | quote }}
{{- if .cluster }}
- name: CLICKHOUSE_CLUSTER
  value: {{ .cluster | quote }}
{{- end }}
{{- if .ca.existingSecret }}
- name: CLICKHOUSE_CA_FILE
  value: /etc/ems/clickhouse/ca.crt
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* Mount of ClickHouse's certificate authority. */ -}}
{{- define "ems.clickhouseCaMount" -}}
- name: clickhouse-ca
  mountPath: /etc/ems/clickhouse
  readOnly: true
{{- end -}}

{{- define "ems.clickhouseCaVolume" -}}
- name: clickhouse-ca
  secret:
    secretName: {{ .Values.clickhouse.ca.existingSecret }}
    items:
      - key: {{ .Values.clickhouse.ca.key }}
        path: ca.crt
{{- end -}}

{{- /* Platform callers that may call a service: (list root name) */ -}}
{{- define "ems.callersOf" -}}
{{- $serves := (index (include "ems.mesh" (index . 0) | fromYaml) (index . 1)).serves -}}
{{- $callers := list -}}
{{- range (index . 0).Values.callers -}}
{{- $isOwn := false -}}
{{- range .rpcs -}}{{- if has (first (splitList "/" .)) $serves -}}{{- $isOwn = true -}}{{- end -}}{{- end -}}
{{- if $isOwn -}}{{- $callers = append $callers . -}}{{- end -}}
{{- end -}}
{{- toYaml $callers -}}
{{- end -}}

{{- define "ems.mailEnv" -}}
{{- with .Values.mail }}
{{- if .existingSecret }}
{{ include "ems.fromSecret" (list "SMTP_URL" .existingSecret .urlKey) }}
{{- end }}
{{- range $variable, $value := dict "MAIL_FROM" .from "FEEDBACK_TO" .feedbackTo "OPERATOR_TO" .operatorTo }}
{{- if $value }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- /* (list root name process component) */ -}}
{{- define "ems.env" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
{{- $process := index . 2 -}}
{{- $component := index . 3 -}}
{{- $secrets := $root.Values.secrets -}}
- name: ADMIN_HOST
  value: {{ $root.Values.listenAddress | quote }}
- name: ADMIN_PORT
  value: {{ $root.Values.adminPort | quote }}
{{- if has $name (list "gateway" "notifications") }}
- name: HOST
  value: {{ $root.Values.listenAddress | quote }}
{{- end }}
{{- if ne $name "gateway" }}
- name: RPC_HOST
  value: {{ $root.Values.listenAddress | quote }}
{{- end }}
- name: {{ ternary "PORT" "RPC_PORT" (eq $name "gateway") }}
  value: {{ $process.port | quote }}
{{- if eq $name "gateway" }}
- name: GRPC_PORT
  value: {{ ternary "4317" "off" (gt (int $root.Values.service.grpcPort) 0) | quote }}
{{- if $root.Values.service.grpcTlsSecret }}
- name: GRPC_TLS_CERT_FILE
  value: /etc/ems/grpc/tls.crt
- name: GRPC_TLS_KEY_FILE
  value: /etc/ems/grpc/tls.key
{{- end }}
{{- end }}
{{- if ne $name "gateway" }}
- name: RPC_CALLERS
  value: {{ join "," $process.callers | quote }}
{{- end }}
{{- if $root.Values.rpc.tlsSecret }}
- name: RPC_TLS_CA_FILE
  value: /etc/ems/rpc/ca.crt
{{- if ne $name "gateway" }}
- name: RPC_TLS_CERT_FILE
  value: /etc/ems/rpc/tls.crt
- name: RPC_TLS_KEY_FILE
  value: /etc/ems/rpc/tls.key
{{- end }}
{{- end }}
{{- with include "ems.callersOf" (list $root $name) | fromYamlArray }}
{{- $document := list }}
{{- range . }}{{ $document = append $document (omit . "from") }}{{ end }}
- name: RPC_PLATFORM_CALLERS
  value: {{ dict "callers" $document | toJson | quote }}
{{- end }}
{{- $privateKey := index $secrets.rpcPrivateKeys $name }}
{{ include "ems.fromSecret" (list "RPC_PRIVATE_KEY" ($privateKey.existingSecret | default $secrets.existingSecret) ($privateKey.key | default (printf "RPC_PRIVATE_KEY_%s" (upper $name)))) }}
{{ include "ems.fromSecret" (list "RPC_PUBLIC_KEYS" $secrets.existingSecret $secrets.rpcPublicKeysKey) }}
{{- range $callee := $process.calls }}
- name: {{ upper $callee }}_ADDRESS
  value: {{ printf "%s:%d" (include "ems.host" (list $root $callee)) (int (index $process.ports $callee)) | quote }}
{{- end }}
{{- if has "postgres" $process.needs }}
{{ include "ems.databaseUrl" (dict "root" $root "variable" "DATABASE_URL" "role" $name) }}
{{- end }}
{{- if has "RELAY_DATABASE_URL" $process.managed }}
{{ include "ems.databaseUrl" (dict "root" $root "variable" "RELAY_DATABASE_URL" "role" (printf "%s-relay" $name)) }}
{{- end }}
{{- with $root.Values.database.replica }}
{{- if and (eq $name "reporting") (or .key .host) }}
{{ include "ems.databaseUrl" (dict "root" $root "variable" "REPORTING_DATABASE_URL" "role" $name "key" .key "host" .host) }}
{{- end }}
{{- end }}
{{- if eq $name "identity" }}
{{ include "ems.fromSecret" (list "API_KEY_PEPPERS" $secrets.existingSecret $secrets.apiKeyPeppersKey) }}
{{- end }}
{{- if has "SEALING_KEYS" $process.managed }}
{{ include "ems.fromSecret" (list "SEALING_KEYS" $secrets.existingSecret $secrets.sealingKeysKey) }}
{{- end }}
{{- if and (eq $name "gateway") $root.Values.signIn.existingSecret }}
{{ include "ems.fromSecret" (list "OIDC_CLIENT_SECRET" $root.Values.signIn.existingSecret $root.Values.signIn.secretKey) }}
{{- end }}
{{- if eq $name "notifications" }}
- name: NODE_ENV
  value: production
{{- include "ems.mailEnv" $root }}
{{- end }}
{{- if has "nats" $process.uses }}
{{- include "ems.natsEnv" (list $root $name) }}
{{- if has "NATS_REPLICAS" $process.managed }}
- name: NATS_REPLICAS
  value: {{ $root.Values.nats.replicas | quote }}
{{- end }}
{{- end }}
{{- if has "CLICKHOUSE_URL" $process.managed }}
{{- include "ems.clickhouseEnv" $root }}
{{- end }}
{{- range $variable, $value := include "ems.settings" (list $root $name $process) | fromYaml }}
- name: {{ $variable }}
  value: {{ $value | quote }}
{{- end }}
{{- include "ems.mergedEnv" (list $root.Values.extraEnv $root.Values.defaults.extraEnv $component.extraEnv) }}
{{- end -}}
