import type { Asset } from '@masthead/contract/assets/asset'
import type { Container } from '@masthead/contract/devices/agent/application'
import { deployContainer, updateContainer } from '@masthead/contract/devices/agent/operations'
import { useState } from 'react'
import { Controller, useFormContext } from 'react-hook-form'
import { FormText } from '../../kit/FormField.tsx'
import { FormSelect } from '../../kit/FormSelect.tsx'
import { useListError } from '../../kit/FormLines.tsx'
import { FormModal } from '../../kit/FormModal.tsx'
import { KeyValueEditor } from '../../ui/KeyValueEditor.tsx'
import type { KeyValue } from '../../ui/key-value.ts'
import { TextArea } from '../../ui/TextArea.tsx'
import { plain, toast } from '../../ui/toast.ts'
import { HealthFields } from './HealthFields.tsx'
import { ImageField } from './ImageField.tsx'
import { portsOf, portText, volumesOf, volumeText } from './container-words.ts'

const policies = [
  { value: 'always', label: 'Always', note: 'Also after the device restarts' },
  { value: 'on_failure', label: 'When it fails', note: 'Not when it ends without an error' },
  { value: 'no', label: 'Never' },
]
const keyRule = { pattern: /^[A-Za-z_][A-Za-z0-9_]*$/, words: 'Use letters, digits and underscores' }

type Variable = { name: string; value?: string | undefined; secret: boolean }

function ListField<Item>({
  name,
  label,
  hint,
  placeholder,
  read,
  start,
}: {
  name: string
  label: string
  hint: string
  placeholder: string
  read: (text: string) => Item[]
  start: string
}) {
  const [text, setText] = useState(start)
  const own = useListError(name)
  const inner = useInnerError(name)
  const error = own ?? inner
  return (
    <Controller
      name={name}
      render={({ field }) => (
        <TextArea
          label={label}
          hint={hint}
          error={error}
          mono
          rows={2}
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            field.onChange(read(target.value))
          }}
        />
      )}
    />
  )
}

/** The words at a field of one of the things in a list: `ports.0.host`. */
function useInnerError(name: string): string | undefined {
  const { errors } = useFormContext().formState
  return Object.entries(errors as Record<string, { message?: string } | undefined>).find(([key]) => key.startsWith(`${name}.`))?.[1]
    ?.message
}

/** Variables that are shown, and secrets beside them: the value of a secret that is there is left out unless it is written anew. */
function EnvironmentFields({ start }: { start: Container['environment'] }) {
  const own = useListError('environment')
  const inner = useInnerError('environment')
  return (
    <Controller
      name="environment"
      render={({ field }) => {
        const all = field.value as Variable[]
        const pairs = (secret: boolean) =>
          all.filter((each) => each.secret === secret).map(({ name, value }) => ({ key: name, value: value ?? '' }))
        const isKept = (name: string) => start.some((each) => each.secret && each.name === name)
        const set = (secret: boolean, given: KeyValue[]) =>
          field.onChange([
            ...all.filter((each) => each.secret !== secret),
            ...given.map(({ key, value }) => ({ name: key, secret, ...(secret && value === '' && isKept(key) ? {} : { value }) })),
          ])
        return (
          <>
            <KeyValueEditor
              label="Environment"
              keyLabel="Variable"
              pairs={pairs(false)}
              keyRule={keyRule}
              onChange={(given) => set(false, given)}
            />
            <KeyValueEditor
              label="Secrets"
              keyLabel="Secret"
              pairs={pairs(true)}
              keyRule={keyRule}
              secret
              onChange={(given) => set(true, given)}
            />
            {(own ?? inner) && <p className="text-xs text-bad-fg">{own ?? inner}</p>}
            {start.some(({ secret }) => secret) && (
              <p className="text-xs text-fg-3">Values of secrets are never shown. One that is left empty stays as it is.</p>
            )}
          </>
        )
      }}
    />
  )
}

function Fields({ asset, container }: { asset: Asset; container?: Container }) {
  return (
    <>
      <ImageField asset_id={asset.id} />
      <ListField
        name="ports"
        label="Ports"
        hint="Device:container, one a line. Ports of the device are 30000 to 32767"
        placeholder="30100:8080"
        read={portsOf}
        start={portText(container?.ports ?? [])}
      />
      <ListField
        name="volumes"
        label="Volumes"
        hint="Folder or name:container, one a line; with :ro at the end it can only be read"
        placeholder="/data:/var/lib/data"
        read={volumesOf}
        start={volumeText(container?.volumes ?? [])}
      />
      <EnvironmentFields start={container?.environment ?? []} />
      <HealthFields />
      <FormSelect name="restart_policy" label="Start again" options={policies} />
    </>
  )
}

/** `image`: what is to be deployed, where that is known. */
export function DeployModal({ asset, image = '', onClose }: { asset: Asset; image?: string; onClose: () => void }) {
  return (
    <FormModal
      open
      size="large"
      onClose={onClose}
      title={`Deploy a container on ${asset.name}`}
      operation={deployContainer}
      values={{ name: '', image, ports: [], volumes: [], environment: [], restart_policy: 'always', health: null }}
      input={(body) => ({ params: { asset_id: asset.id }, body })}
      submit="Deploy"
      onDone={() => toast.info('It runs once the device has its image')}
    >
      <FormText name="name" label="Container name" placeholder="telemetry-relay" hint="It stays for as long as the container does" mono />
      <Fields asset={asset} />
    </FormModal>
  )
}

/** `container`: as it is, or with the image that it is to get. */
export function UpdateModal({ asset, container, onClose }: { asset: Asset; container: Container; onClose: () => void }) {
  const { name, image, ports, volumes, environment, restart_policy, health } = container
  return (
    <FormModal
      open
      size="large"
      onClose={onClose}
      title={`Update ${name}`}
      operation={updateContainer}
      values={{
        image,
        ports,
        volumes,
        restart_policy,
        health,
        environment: environment.map((each) => ({
          name: each.name,
          secret: each.secret,
          ...(each.value !== null && { value: each.value }),
        })),
      }}
      input={(body) => ({ params: { asset_id: asset.id, name }, body })}
      submit="Update"
      onDone={() => toast.info(plain(`${name} goes on as it is until its image is there`))}
    >
      <Fields asset={asset} container={container} />
    </FormModal>
  )
}
