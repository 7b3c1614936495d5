import type { registerAsset } from '@masthead/contract/assets/operations'
import { backofficePermission } from '@masthead/contract/kernel/permission'
import { useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { mayUser } from '../api/may.ts'
import { useSession } from '../api/session.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { StateShape } from '../ui/StateShape.tsx'
import { TextField } from '../ui/TextField.tsx'
import type { Overview } from './range-words.ts'

/** The first steps of a new account, until data has come in. */
export function Onboarding({ steps: { registered, activated, first_data } }: { steps: NonNullable<Overview['onboarding']> }) {
  const staff = useSession(({ user }) => mayUser(user, backofficePermission))
  return (
    <>
      {staff && !registered && (
        <div className="mb-4">
          <Notice
            tone="info"
            action={
              <Link className="link" to="/masa">
                Open the backoffice
              </Link>
            }
          >
            This is your own account. Customers and their assets are in the backoffice.
          </Notice>
        </div>
      )}
      <section className="mb-4 rounded-lg border border-line" aria-labelledby="onboarding">
        <div className="border-b border-line px-4 py-3">
          <h2 id="onboarding" className="text-md font-semibold">
            {registered ? 'Nearly there' : 'No assets yet'}
          </h2>
          <p className="text-fg-2">
            {registered
              ? 'What is left until your first data shows here.'
              : 'Register your first asset to see its SIM, its sessions and its data.'}
          </p>
        </div>
        <ol className="divide-y divide-line">
          <Step done={registered} title="Register an asset" words="The serial number is on the box, the ICCID on the SIM card.">
            <RegisterField />
          </Step>
          <Step done={activated} title="Activate its SIM" words="A SIM that is ready also becomes active by itself with its first session.">
            {registered && (
              <Link to="/assets?sim_status=ready" className={buttonClass()}>
                See SIMs that are ready
              </Link>
            )}
          </Step>
          <Step
            done={first_data}
            title="Send the first data"
            words="Put the SIM into your device and set its APN. Its first bytes show here seconds after the network reports them."
          />
        </ol>
      </section>
    </>
  )
}

function Step({ done, title, words, children }: { done: boolean; title: string; words: string; children?: ReactNode }) {
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-3 px-4 py-3">
      <StateShape shape={done ? 'done' : 'dashed'} tone={done ? 'ok' : 'idle'} size={16} className="mt-0.5" />
      <div className="min-w-0">
        <h3 className={done ? 'text-fg-3' : 'font-medium'}>
          {title}
          <span className="sr-only">{done ? ', done' : ', to do'}</span>
        </h3>
        {!done && (
          <>
            <p className="text-fg-2 text-pretty">{words}</p>
            {children && <div className="mt-2">{children}</div>}
          </>
        )}
      </div>
    </li>
  )
}

// The operation itself would make the first screen larger: its type says what it asks for.
const register: Pick<typeof registerAsset, 'access'> = { access: 'assets.register' }

/** Goes on where an asset is registered, with the number filled in. */
function RegisterField() {
  const [token, setToken] = useState('')
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const denied = useDenied()(register)
  const number = token.trim()
  return (
    <form
      className="flex max-w-120 items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (number) void navigate(`/r/${encodeURIComponent(number)}`)
      }}
    >
      <TextField
        label="Serial number or ICCID"
        hideLabel
        placeholder="Serial number or ICCID"
        mono
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        className="flex-1"
        disabled={denied !== null}
        hint={denied}
        error={asked && !number ? 'Enter a serial number or an ICCID' : null}
        value={token}
        onChange={({ target }) => setToken(target.value)}
      />
      <ActionButton type="submit" color="primary-solid" operation={register}>
        Register
      </ActionButton>
    </form>
  )
}
