import { updateInvitation } from '@masthead/contract/teams/operations'
import { presets } from '@masthead/contract/teams/presets'
import type { Team, TeamInvitation, TeamMember } from '@masthead/contract/teams/team'
import { Terminal } from 'lucide-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useOperation } from '../api/query.ts'
import { settings } from '../api/settings.ts'
import { copyAsCurl } from '../kit/copy-as-curl.ts'
import { goToFirstMistake } from '../kit/first-mistake.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Modal } from '../ui/Modal.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { MultiSelect } from '../ui/Select.tsx'
import { TagMark } from '../ui/Tag.tsx'
import { TextField } from '../ui/TextField.tsx'
import { plain, toast } from '../ui/toast.ts'
import { PermissionEditor } from './PermissionEditor.tsx'

type Of = TeamMember | TeamInvitation
const readOnly = presets.at(-1)!

/** Invites somebody, or changes what a member or an invitation may do (`of`). */
export function MemberForm({
  team,
  of,
  onClose,
  onInvited,
}: {
  team: Team
  of?: Of
  onClose: () => void
  onInvited?: (email: string) => void
}) {
  const id = useId()
  const mutation = useOperation(updateInvitation)
  const [email, setEmail] = useState('')
  const [granted, setGranted] = useState<readonly string[]>(
    of?.permissions ?? readOnly.permissions.filter((name) => team.grantable.includes(name))
  )
  const [limited, setLimited] = useState(of?.limited ?? team.must_limit)
  const [tags, setTags] = useState<readonly string[]>(of?.tags.map((tag) => tag.id) ?? [])
  const [missing, setMissing] = useState<{ words: string } | null>(null)
  const { error } = mutation
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (missing || error?.fields) goToFirstMistake(form.current!)
  }, [missing, error])
  const isNew = of === undefined
  const submit = () => {
    // An empty list of tags would mean all assets: it is never sent for "some".
    if (limited && tags.length === 0) return setMissing({ words: 'Choose at least one tag, because without one they would see nothing' })
    mutation.mutate(
      { body: { email: of?.email ?? email, permissions: [...granted] as never, tags: limited ? [...tags] : [] } },
      {
        onSuccess: (reply) => {
          onClose()
          if (reply.state === 'invited') onInvited?.(reply.email)
          toast.success(
            isNew && reply.state === 'invited' ? `Invited ${plain(reply.email)}` : `Changed the permissions of ${plain(reply.email)}`
          )
        },
      }
    )
  }
  return (
    <Modal
      open
      onClose={onClose}
      title={isNew ? 'Invite to the team' : 'Change permissions'}
      size="large"
      loading={mutation.isPending}
      footer={
        <>
          <Button color="ghost" icon={Terminal} className="mr-auto" disabled={mutation.isPending} onClick={() => void copyAsCurl(submit)}>
            Copy as curl
          </Button>
          <span className="flex gap-2">
            <Button onClick={onClose} disabled={mutation.isPending}>
              Cancel
            </Button>
            <Button type="submit" form={id} color="primary-solid" loading={mutation.isPending}>
              {!isNew ? 'Save' : settings.mail === false ? 'Invite' : 'Send invitation'}
            </Button>
          </span>
        </>
      }
    >
      <form
        id={id}
        ref={form}
        noValidate
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        {isNew ? (
          <TextField
            type="email"
            label="E-mail"
            value={email}
            onChange={({ target }) => {
              // What the server said was of the address before.
              mutation.reset()
              setEmail(target.value)
            }}
            error={error?.fields?.email}
            hint={`${settings.mail === false ? 'No e-mail is sent here: you get a link to give to them. They' : 'They get an e-mail, and'} answer in their own console within seven days. If they have no account yet, they create one with this address.`}
            autoComplete="off"
            autoFocus
          />
        ) : (
          <p className="font-medium wrap-anywhere">{of.email}</p>
        )}
        <PermissionEditor value={granted} onChange={setGranted} grantable={team.grantable} />
        <div className="grid gap-3">
          <RadioGroup
            label="Assets they can see"
            choices={[
              {
                value: 'all',
                label: 'All assets',
                ...(team.must_limit && { disabled: 'You see only the assets of some tags, so they cannot see more' }),
              },
              {
                value: 'some',
                label: 'Only assets with one of these tags',
                about: 'Applies to lists, totals, exports and live updates',
                ...(team.choices.length === 0 && { disabled: 'This account has no tags yet. Create them on the Assets screen' }),
              },
            ]}
            value={limited ? 'some' : 'all'}
            onChange={(value) => {
              setLimited(value === 'some')
              setMissing(null)
            }}
          />
          {limited && (
            <MultiSelect
              label="Tags"
              hideLabel
              placeholder="Choose tags"
              limit={4}
              options={team.choices.map((tag) => ({ value: tag.id, label: tag.name, mark: <TagMark color={tag.color} /> }))}
              value={tags}
              onChange={(next) => {
                mutation.reset()
                setTags(next)
                setMissing(null)
              }}
              error={missing?.words ?? error?.fields?.tags}
            />
          )}
        </div>
      </form>
      {error && !error.fields?.email && !error.fields?.tags && <FailureNotice of={error} />}
    </Modal>
  )
}
