import { mailEmailProof } from '@masthead/contract/account/email-operations'
import { changeEmail, changePassword, removeEmailChange, type Security } from '@masthead/contract/account/security-operations'
import { passwordLength } from '@masthead/contract/auth/password'
import { useState } from 'react'
import { useOperation } from '../api/query.ts'
import { settings } from '../api/settings.ts'
import { FormPassword, FormText } from '../kit/FormField.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { RelativeTime } from '../kit/RelativeTime.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { FailureWords } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { plain, toast } from '../ui/toast.ts'
import { NameForm } from './NameForm.tsx'
import { noProof, ProofFields } from './ProofFields.tsx'

type Open = 'email' | 'password' | null

/** What one is called, and the e-mail address and the password one signs in with. */
export function SignInPanel({ security }: { security: Security }) {
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Panel title="Sign-in" flush>
      <NameForm name={security.name} />
      <dl className="divide-y divide-line">
        <Row
          label="E-mail"
          value={security.email}
          state={<ProvenMark proven={security.email_proven} />}
          action={
            <Button size="small" onClick={() => setOpen('email')}>
              Change e-mail
            </Button>
          }
        />
        <Row
          label="Password"
          value={security.has_password ? 'Set' : 'Not set: you sign in another way'}
          action={
            security.has_password && (
              <Button size="small" onClick={() => setOpen('password')}>
                Change password
              </Button>
            )
          }
        />
      </dl>
      {!security.email_proven && <UnprovenEmail email={security.email} />}
      {security.email_change && <PendingEmail change={security.email_change} />}
      <ChangeEmail open={open === 'email'} onClose={close} security={security} />
      <ChangePassword open={open === 'password'} onClose={close} security={security} />
    </Panel>
  )
}

const ProvenMark = ({ proven }: { proven: boolean }) =>
  proven ? (
    <Badge tone="ok" shape="done">
      Confirmed
    </Badge>
  ) : (
    <Badge tone="warn" shape="triangle">
      Not confirmed
    </Badge>
  )

/** The way to show that the address is one's own. */
function UnprovenEmail({ email }: { email: string }) {
  const { mutate, data, error, isPending } = useOperation(mailEmailProof)
  const mails = settings.mail !== false
  const provider = settings.identity && `sign in with ${settings.identity.name}`
  return (
    <div className="border-t border-line p-4">
      <Notice
        tone={data ? 'info' : 'warn'}
        action={
          mails &&
          !data && (
            <button type="button" className="link" disabled={isPending} onClick={() => mutate({})}>
              Mail me a link
            </button>
          )
        }
      >
        {data ? (
          <>
            A link was mailed to <b className="font-medium wrap-anywhere">{email}</b>. Open it within a day.
          </>
        ) : mails ? (
          `This address is not confirmed. Until it is, you can accept an invitation only by the link in its e-mail${provider ? `. You may also ${provider}` : ''}.`
        ) : (
          `This address is not confirmed. Until it is, you can accept an invitation only by the link that the person who invited you gives you. To confirm the address, ${provider ? `${provider}, or ` : ''}ask the support staff of this installation.`
        )}
        {error && <FailureWords of={error} />}
      </Notice>
    </div>
  )
}

const Row = ({ label, value, state, action }: { label: string; value: string; state?: React.ReactNode; action: React.ReactNode }) => (
  <div className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-2.5">
    <dt className="w-20 text-fg-3">{label}</dt>
    <dd className="flex min-w-0 flex-1 flex-wrap items-center gap-2">
      <span className="flex min-w-[min(100%,11rem)] flex-1 flex-wrap items-center gap-x-2 gap-y-1">
        <span className="min-w-0 wrap-anywhere">{value}</span>
        {state}
      </span>
      {action}
    </dd>
  </div>
)

function PendingEmail({ change: { email, expires_at } }: { change: NonNullable<Security['email_change']> }) {
  const mutation = useOperation(removeEmailChange)
  return (
    <div className="border-t border-line p-4">
      <Notice
        tone="info"
        action={
          <button type="button" className="link" disabled={mutation.isPending} onClick={() => mutation.mutate({})}>
            Cancel change
          </button>
        }
      >
        A link was mailed to <b className="font-medium wrap-anywhere">{email}</b>. Your e-mail changes when you open it; it expires{' '}
        <RelativeTime at={expires_at} />. {mutation.error && <FailureWords of={mutation.error} />}
      </Notice>
    </div>
  )
}

function ChangeEmail({ open, onClose, security }: { open: boolean; onClose: () => void; security: Security }) {
  return (
    <FormModal
      open={open}
      onClose={onClose}
      title="Change e-mail"
      operation={changeEmail}
      values={{ email: '', ...noProof }}
      submit="Mail the link"
      onDone={({ email }) => toast.success(`A link was mailed to ${plain(email)}`)}
    >
      <p className="text-fg-2 text-pretty">
        We mail a link to the new address and a notice to {security.email}. You sign in with the present one until the link is opened.
      </p>
      <FormText name="email" type="email" label="New e-mail" autoComplete="email" autoFocus />
      <ProofFields security={security} />
    </FormModal>
  )
}

function ChangePassword({ open, onClose, security }: { open: boolean; onClose: () => void; security: Security }) {
  return (
    <FormModal
      open={open}
      onClose={onClose}
      title="Change password"
      operation={changePassword}
      values={{ new_password: '', ...noProof }}
      submit="Change password"
      onDone={() => toast.success('Your password is changed. All other sessions are signed out.')}
    >
      <ProofFields security={security} focus />
      <FormPassword
        name="new_password"
        label="New password"
        autoComplete="new-password"
        hint={`At least ${passwordLength.min} characters. A few words are easy to remember and hard to guess.`}
      />
      <p className="text-fg-2">You stay signed in here, and are signed out everywhere else.</p>
    </FormModal>
  )
}
