import type { Tag } from '@masthead/contract/registry/image'
import { deployContainer } from '@masthead/contract/devices/agent/operations'
import { addTag, deleteImage, deleteTag, setTagProtection } from '@masthead/contract/registry/operations'
import { Copy, GitCompare, Lock, LockOpen, Rocket, Tag as TagIcon, Trash2, X } from 'lucide-react'
import { useState } from 'react'
import { useOperation } from '../api/query.ts'
import { useDenied } from '../kit/ActionButton.tsx'
import { ConfirmCall } from '../kit/ConfirmCall.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { later } from '../kit/later.tsx'
import { copyText } from '../ui/copy.ts'
import type { MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'
import { devicesWords, pullCommand } from './registry-words.ts'

const DeployDialog = later(() => import('./DeployDialog.tsx').then((file) => file.DeployDialog))
const CompareDialog = later(() => import('./attached/CompareDialog.tsx').then((file) => file.CompareDialog))

type Named = Pick<Tag, 'name' | 'digest' | 'protected'> & { devices?: number; immutable?: string | null }
type Doing = { what: 'add' | 'deploy' | 'compare' | 'delete-tag' | 'delete-image'; tag: Named; others: readonly string[] }

/** What can be done with a tag of a repository, and the dialog of what is being done. `gone`: when what is shown is deleted. */
export function useTagActions(repository: { id: string; name: string } | undefined, gone?: () => void) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const protecting = useOperation(setTagProtection)
  const close = () => setDoing(null)
  /** `others`: tags that name the same image. */
  const items = (tag: Named, others: readonly string[] = []): MenuItem[] => {
    const locked = tag.protected ? 'The tag is protected' : tag.immutable ? `The rule ${tag.immutable} makes it immutable` : null
    return [
      { label: 'Copy pull command', icon: Copy, onSelect: () => void copyText(pullCommand(repository?.name ?? '', tag.name)) },
      {
        label: 'Deploy',
        icon: Rocket,
        onSelect: () => setDoing({ what: 'deploy', tag, others }),
        disabled: denied(deployContainer),
      },
      { label: 'Compare', icon: GitCompare, onSelect: () => setDoing({ what: 'compare', tag, others }) },
      { label: 'Add another tag', icon: TagIcon, onSelect: () => setDoing({ what: 'add', tag, others }), disabled: denied(addTag) },
      {
        label: tag.protected ? 'End protection' : 'Protect',
        icon: tag.protected ? LockOpen : Lock,
        onSelect: () =>
          protecting.mutate(
            { params: { repository_id: repository?.id ?? '', tag: tag.name }, body: { protected: !tag.protected } },
            {
              onSuccess: () => toast.success(tag.protected ? `Ended the protection of ${tag.name}` : `Protected ${tag.name}`),
              onError: (failure) => toast.failure(failure),
            }
          ),
        disabled: denied(setTagProtection),
      },
      {
        label: 'Delete the tag',
        icon: X,
        onSelect: () => setDoing({ what: 'delete-tag', tag, others }),
        disabled: denied(deleteTag) ?? locked,
      },
      {
        label: 'Delete the image',
        icon: Trash2,
        danger: true,
        onSelect: () => setDoing({ what: 'delete-image', tag, others }),
        disabled: denied(deleteImage) ?? locked,
      },
    ]
  }
  const repository_id = repository?.id ?? ''
  const dialog = doing && repository && (
    <>
      {doing.what === 'deploy' && <DeployDialog name={repository.name} tag={doing.tag.name} onClose={close} />}
      {doing.what === 'compare' && <CompareDialog repository_id={repository_id} tag={doing.tag} onClose={close} />}
      {doing.what === 'add' && (
        <FormModal
          open
          onClose={close}
          title={`Another tag for ${doing.tag.name}`}
          operation={addTag}
          values={{ tag: '', digest: doing.tag.digest }}
          input={(body) => ({ params: { repository_id }, body })}
          submit="Add tag"
          onDone={({ name }) => toast.success(`${name} names the same image now`)}
        >
          <FormText name="tag" label="Tag" hint="A tag of this name that is there already names this image from now on." />
        </FormModal>
      )}
      {doing.what === 'delete-tag' && (
        <ConfirmCall
          onClose={close}
          operation={deleteTag}
          input={{ params: { repository_id, tag: doing.tag.name } }}
          title={`Delete the tag ${doing.tag.name}?`}
          confirm="Delete tag"
          color="danger"
          done="Deleted the tag"
          {...(gone && { onDone: gone })}
        >
          Only the name is deleted. The image is kept: it can be pulled by its digest, and by other tags of it.
          {doing.tag.devices ? ` It is deployed on ${devicesWords(doing.tag.devices)}: those that name this tag cannot pull it again.` : ''}
        </ConfirmCall>
      )}
      {doing.what === 'delete-image' && (
        <ConfirmCall
          onClose={close}
          operation={deleteImage}
          input={{ params: { repository_id, digest: doing.tag.digest } }}
          title={`Delete the image of ${doing.tag.name}?`}
          confirm="Delete image"
          color="danger"
          onDone={({ tags, images }) => {
            const also = images === 0 ? '' : images === 1 ? ', and one image of it' : `, and ${images} images of it`
            toast.success(`${tags.length > 1 ? `Deleted the image with the tags ${tags.join(', ')}` : 'Deleted the image'}${also}`)
            gone?.()
          }}
        >
          {doing.others.length > 0
            ? `These tags name the same image and are deleted with it: ${doing.others.join(', ')}.`
            : 'All tags that name it are deleted with it; if there are others than this one, you are told which.'}{' '}
          If it has several platforms, the images of these are deleted with it, and so is what is attached to it, such as signatures: unless
          a tag, another image, a device or a fleet needs them.{' '}
          {doing.tag.devices
            ? `It is deployed on ${devicesWords(doing.tag.devices)}, which cannot pull it again: they continue to run it until they need it again.`
            : 'Devices that run it continue to run it, and cannot pull it again.'}
        </ConfirmCall>
      )}
    </>
  )
  return { items, dialog }
}
