import { useQuery } from '@tanstack/react-query'
import type { Registry, Repository } from '@masthead/contract/registry/image'
import { chooseSlug, createRobot, deleteRepository, getRegistry, listRepositories } from '@masthead/contract/registry/operations'
import { setImmutableTags } from '@masthead/contract/registry/removal-operations'
import { formatBytes } from '@masthead/contract/usage/bytes'
import { Bot, Box, History, KeyRound, Lock, Pencil, Terminal, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { q } from '../api/query.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { BannerEnd } from '../kit/BannerEnd.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { later } from '../kit/later.tsx'
import { QueryTable } from '../kit/QueryTable.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx'
import { LinkButton } from '../ui/LinkButton.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Cell, Frame, Stat } from '../ui/Panel.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import { PushSnippet } from './PushSnippet.tsx'
import { repositoryColumns } from './registry-columns.tsx'
import { devicesWords, partsOf, repositoryHref } from './registry-words.ts'

type Doing = { what: 'push' } | { what: 'name' } | { what: 'immutable' } | { what: 'delete'; repository: Repository }

const ImmutableTagsForm = later(() => import('./ImmutableTagsForm.tsx').then((file) => file.ImmutableTagsForm))

/** Repositories of the account, and how much storage they take. */
export default function RegistryScreen() {
  const { data: registry, error, refetch } = useQuery(q(getRegistry, {}))
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const close = () => setDoing(null)
  const slug = registry?.slug ?? registry?.suggested
  return (
    <>
      <BannerEnd>
        <LinkButton as={Link} to="/registry/retention" icon={History} color="secondary">
          Retention
        </LinkButton>
        <LinkButton as={Link} to="/registry/robots" icon={Bot} color="secondary">
          Robots
        </LinkButton>
        <LinkButton as={Link} to="/registry/signing-keys" icon={KeyRound} color="secondary">
          Signing keys
        </LinkButton>
        <ActionButton operation={setImmutableTags} icon={Lock} disabled={!registry} onClick={() => setDoing({ what: 'immutable' })}>
          Immutable tags
        </ActionButton>
        <Button icon={Terminal} color="primary-solid" disabled={!slug} onClick={() => setDoing({ what: 'push' })}>
          Push an image
        </Button>
      </BannerEnd>
      {error && !registry ? (
        <ErrorState title="The registry could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <Figures registry={registry} onName={() => setDoing({ what: 'name' })} />
      )}
      <QueryTable
        operation={listRepositories}
        label="Repositories"
        defaultSort="name"
        columns={repositoryColumns}
        rowId={({ id }) => id}
        rowName={({ name }) => name}
        rowHref={({ name }) => repositoryHref(name)}
        rowActions={(repository) => [
          {
            label: 'Delete',
            icon: Trash2,
            danger: true,
            onSelect: () => setDoing({ what: 'delete', repository }),
            disabled: denied(deleteRepository),
          },
        ]}
        search="Repository"
        live
        empty={
          <EmptyState
            icon={Box}
            title="No data found"
            actions={
              <div className="grid w-full max-w-[640px] min-w-0 justify-items-center gap-4">
                {slug && <PushSnippet slug={slug} />}
                <LinkButton as={Link} to="/registry/robots" icon={Bot} color="secondary" disabled={denied(createRobot)}>
                  Create a robot for your build
                </LinkButton>
              </div>
            }
          >
            Images that you push here can be pulled by your devices. Three commands push the first one:
          </EmptyState>
        }
      />
      {doing?.what === 'push' && slug && (
        <Modal open onClose={close} title="Push an image" size="large" footer={<Button onClick={close}>Close</Button>}>
          <PushSnippet slug={slug} />
        </Modal>
      )}
      {doing?.what === 'name' && slug && (
        <FormModal open onClose={close} title="Name in the registry" operation={chooseSlug} values={{ slug }} submit="Choose this name">
          <FormText
            name="slug"
            label="Name"
            hint="It begins the names of all your repositories, and is the user name of docker login. It cannot be changed once there is a repository."
          />
        </FormModal>
      )}
      {doing?.what === 'immutable' && registry && <ImmutableTagsForm patterns={registry.immutable} onClose={close} />}
      {doing?.what === 'delete' && (
        <ConfirmCall
          onClose={close}
          operation={deleteRepository}
          input={{ params: { repository_id: doing.repository.id } }}
          title={`Delete ${doing.repository.name}?`}
          confirm="Delete repository"
          color="danger"
          done="Deleted the repository"
          {...(doing.repository.devices > 0 && { typed: partsOf(doing.repository.name).image })}
        >
          {doing.repository.tags === 0
            ? 'None of its images has a tag. Those that are left are deleted.'
            : `${doing.repository.tags === 1 ? 'Its tag is' : `All ${doing.repository.tags} tags are`} deleted with their images.`}{' '}
          {doing.repository.devices > 0
            ? `The repository is used by ${devicesWords(doing.repository.devices)}, which continue to run it and cannot pull it again.`
            : 'Devices that run one continue to run it, and cannot pull it again.'}
        </ConfirmCall>
      )}
    </>
  )
}

function Figures({ registry, onName }: { registry: Registry | undefined; onName: () => void }) {
  const loading = !registry
  const share = registry ? registry.used_bytes / Math.max(1, registry.quota_bytes) : 0
  const tone = share >= 1 ? 'bad' : share >= 0.8 ? 'warn' : 'ok'
  return (
    <Frame className="mb-5 grid-cols-1 @md:grid-cols-3">
      <Cell>
        <Stat
          label="Storage"
          loading={loading}
          value={formatBytes(registry?.used_bytes ?? 0)}
          unit={`of ${formatBytes(registry?.quota_bytes ?? 0)}`}
        />
        <ProgressBar value={share} label="Storage used" size={10} tone={tone} threshold={0.8} className="my-2" />
        <p className="text-xs text-fg-3">
          {share >= 1 ? 'It is full: pushes are refused, pulls go on.' : 'When it is full pushes are refused; pulls go on.'}
        </p>
      </Cell>
      <Cell>
        <Stat label="Tags" loading={loading} value={(registry?.tags ?? 0).toLocaleString('en')} />
        <p className="mt-1 text-xs text-fg-3">
          in {registry?.repositories === 1 ? '1 repository' : `${(registry?.repositories ?? 0).toLocaleString('en')} repositories`}. Layers
          that they share count once.
        </p>
      </Cell>
      <Cell>
        <Stat label="Name in the registry" loading={loading} value={registry?.slug ?? registry?.suggested ?? ''} />
        {registry?.can_choose_slug ? (
          <div className="mt-2">
            <ActionButton operation={chooseSlug} icon={Pencil} size="small" onClick={onName}>
              Choose another
            </ActionButton>
          </div>
        ) : (
          <p className="mt-1 text-xs text-fg-3">the user name of docker login, and how all repositories begin</p>
        )}
      </Cell>
    </Frame>
  )
}
