import type { Image, Tag } from '@masthead/contract/registry/image'
import { deployContainer } from '@masthead/contract/devices/agent/operations'
import { addTag, deleteImage, deleteTag, setTagProtection } from '@masthead/contract/registry/operations'
import { imageNeeded } from '@masthead/contract/registry/problems'
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
import { devicesWords, pullCommand, shortDigest } from './registry-words.ts'

const DeployDialog = later(() => import('./DeployDialog.tsx').then((file) => file.DeployDialog))
const DeleteImageDialog = later(() => import('./DeleteImageDialog.tsx').then((file) => file.DeleteImageDialog))
const CompareDialog = later(() => import('./attached/CompareDialog.tsx').then((file) => file.CompareDialog))

type Named = Pick<Tag, 'name' | 'digest' | 'protected'> & { devices?: number; immutable?: string | null }
type Doing = { what: 'add' | 'deploy' | 'compare' | 'delete-tag' | 'delete-image'; tag: Named }

/** What can be done with a tag of a repository, and the dialog of what is being done. `gone`: when what is shown is deleted. */
export function useTagActions(repository: { id: string; name: string } | undefined, gone?: () => void) {
  const [doing, setDoing] = useState<Doing | null>(null)
  const denied = useDenied()
  const protecting = useOperation(setTagProtection)
  const close = () => setDoing(null)
  const start = (what: Doing['what'], tag: Named) => setDoing({ what, tag })
  const addItem = (tag: Named): MenuItem => ({
    label: 'Add another tag',
    icon: TagIcon,
    onSelect: () => start('add', tag),
    disabled: denied(addTag),
  })
  const deleteItem = (tag: Named, refused: string | null): MenuItem => ({
    label: 'Delete the image',
    icon: Trash2,
    danger: true,
    onSelect: () => start('delete-image', tag),
    disabled: denied(deleteImage) ?? refused,
  })
  /** What changes a tag. */
  const changes = (tag: Named): MenuItem[] => {
    const locked = tag.protected ? 'The tag is protected' : tag.immutable ? `The rule ${tag.immutable} makes it immutable` : null
    return [
      addItem(tag),
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
        onSelect: () => start('delete-tag', tag),
        disabled: denied(deleteTag) ?? locked,
      },
      deleteItem(tag, locked),
    ]
  }
  /** The same of an image that the tag of its page does not name. */
  const imageChanges = ({ digest, needed_by }: Image): MenuItem[] => {
    const image = { name: shortDigest(digest), digest, protected: false }
    return [addItem(image), deleteItem(image, needed_by.length > 0 ? imageNeeded.title : null)]
  }
  /** All that can be done with a tag in a list. */
  const items = (tag: Named): MenuItem[] => [
    { label: 'Copy pull command', icon: Copy, onSelect: () => void copyText(pullCommand(repository?.name ?? '', tag.name)) },
    { label: 'Copy digest', icon: Copy, onSelect: () => void copyText(tag.digest) },
    { label: 'Deploy', icon: Rocket, onSelect: () => start('deploy', tag), disabled: denied(deployContainer) },
    { label: 'Compare', icon: GitCompare, onSelect: () => start('compare', tag) },
    ...changes(tag),
  ]
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
      {doing.what === 'delete-image' && <DeleteImageDialog repository={repository} of={doing.tag} onClose={close} gone={gone} />}
    </>
  )
  return { items, changes, imageChanges, start, dialog }
}
