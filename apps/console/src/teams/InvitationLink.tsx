import { makeInvitationLink } from '@masthead/contract/teams/operations'
import { useOperation } from '../api/query.ts'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Button } from '../ui/Button.tsx'
import { CopyButton } from '../ui/CopyButton.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Modal } from '../ui/Modal.tsx'
import { Notice } from '../ui/Notice.tsx'

/** Where no mail is sent: makes the link that whoever is invited accepts with, and shows it this once. */
export function InvitationLink({ email, onClose }: { email: string; onClose: () => void }) {
  const { mutate, data, error, isPending } = useOperation(makeInvitationLink)
  return (
    <Modal
      open
      onClose={onClose}
      title="Invitation link"
      size="large"
      loading={isPending}
      dismissable={!data}
      footer={
        data ? (
          <Button color="primary-solid" onClick={onClose}>
            I have copied it
          </Button>
        ) : (
          <span className="flex gap-2">
            <Button onClick={onClose} disabled={isPending}>
              Later
            </Button>
            <Button color="primary-solid" loading={isPending} onClick={() => mutate({ body: { email } })}>
              Create link
            </Button>
          </span>
        )
      }
    >
      {data ? (
        <>
          <Notice tone="warn">Copy it now. It is shown only once. If you create another, this one stops working.</Notice>
          <div className="flex flex-wrap items-center gap-2 rounded-lg border border-line bg-sunken p-3">
            <output aria-label="Invitation link" className="mono min-w-0 flex-1 basis-48 wrap-anywhere select-all">
              {data.url}
            </output>
            <CopyButton text={data.url} label="Copy link" words="Copy" />
          </div>
          <p className="text-fg-2">
            Give it to <b className="font-medium text-fg wrap-anywhere">{email}</b> and to nobody else, over a channel that you know is
            theirs. It expires <RelativeTime at={data.expires_at} />.
          </p>
        </>
      ) : (
        <p className="text-fg-2 text-pretty">
          This installation sends no e-mail. Anybody could create an account with the address{' '}
          <b className="font-medium text-fg wrap-anywhere">{email}</b>, so the invitation can be accepted only with a link from you, unless
          the address is confirmed. Any earlier link stops working.
        </p>
      )}
      {error && <FailureNotice of={error} />}
    </Modal>
  )
}
