import { useQuery } from '@tanstack/react-query'
import { getSecurity } from '@masthead/contract/account/security-operations'
import { demandSecondFactor, getTeam } from '@masthead/contract/teams/operations'
import { ownFactorMissing } from '@masthead/contract/teams/problems'
import { useState } from 'react'
import { q } from '../api/query.ts'
import { useSession } from '../api/session.ts'
import { ActionButton } from '../kit/ActionButton.tsx'
import { FormModal } from '../kit/FormModal.tsx'
import { toast } from '../ui/toast.ts'
import { noProof, ProofFields } from './ProofFields.tsx'

/** Below the team: whether a second factor is demanded of everybody, and the owner's switch. */
export function SecondFactorDemand() {
  const { data: team } = useQuery(q(getTeam, {}))
  const { data: security } = useQuery(q(getSecurity, {}))
  const own = useSession(({ user }) => user?.acting_as === null)
  const [open, setOpen] = useState(false)
  if (!team) return null
  const demanded = team.second_factor_demanded
  const none = security && !security.authenticator && security.passkeys.length === 0
  const lacking = [team.owner, ...team.members].filter(({ second_factor }) => second_factor === false).map(({ email }) => email)
  const why = !own ? 'Only the owner of the account can change this' : !demanded && none && ownFactorMissing.title
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 border-t border-line p-4">
      <p className="text-fg-2 text-pretty">
        <b className="font-medium text-fg">{demanded ? 'A second factor is demanded' : 'A second factor is not demanded'}</b>{' '}
        {demanded
          ? 'of everybody who works on this account. API keys are not concerned.'
          : 'of those who work on this account: each decides for themselves.'}
        {lacking.length > 0 && ` ${lackingWords(lacking)}`}
      </p>
      <ActionButton operation={demandSecondFactor} size="small" disabled={why || !security} onClick={() => setOpen(true)}>
        {demanded ? 'Demand no second factor' : 'Demand a second factor'}
      </ActionButton>
      {security && (
        <FormModal
          open={open}
          onClose={() => setOpen(false)}
          title={demanded ? 'Demand no second factor any more?' : 'Demand a second factor of everybody?'}
          operation={demandSecondFactor}
          values={{ ...noProof, demanded: !demanded }}
          submit={demanded ? 'Demand none' : 'Demand it'}
          color={demanded ? 'danger' : 'success'}
          onDone={(reply) =>
            toast.success(reply.demanded ? 'A second factor is demanded of everybody' : 'No second factor is demanded any more')
          }
        >
          <p className="text-fg-2 text-pretty">
            {demanded
              ? 'Whoever knows a member’s password can work on this account then, if that member has no second factor.'
              : 'From their next click on, members without an authenticator app or a passkey see nothing of this account until they set one up. What they have open is closed.'}
          </p>
          {!demanded && lacking.length > 0 && <p className="text-fg-2 text-pretty wrap-anywhere">{lackingWords(lacking)}</p>}
          <ProofFields security={security} focus />
        </FormModal>
      )}
    </div>
  )
}

const lackingWords = (emails: readonly string[]) => {
  const shown = emails.slice(0, 3).join(', ')
  return `${emails.length > 3 ? `${shown} and ${emails.length - 3} more have` : emails.length > 1 ? `${shown} have` : `${shown} has`} none yet.`
}
