import { getBillingProfile, setBillingProfile } from '@masthead/contract/billing/invoices/operations'
import { addressWords, type BillingProfile } from '@masthead/contract/billing/invoices/profile'
import { getBalance } from '@masthead/contract/billing/operations'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { q } from '../../api/query.ts'
import { ActionButton } from '../../kit/ActionButton.tsx'
import { later } from '../../kit/later.tsx'
import { countryName } from '../../ui/country-name.ts'
import { ErrorState } from '../../ui/EmptyState.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { Fact, Facts, Panel } from '../../ui/Panel.tsx'
import { SkeletonLines } from '../../ui/Skeleton.tsx'

const ProfileForm = later(async () => (await import('./ProfileForm.tsx')).ProfileForm)

/** Whom invoices and receipts are made out to. Nothing stands here while billing is off. */
export function ProfilePanel() {
  const { data, error, refetch } = useQuery(q(getBillingProfile, {}))
  const balance = useQuery(q(getBalance, {}))
  const [changing, setChanging] = useState(false)
  if (balance.data && !balance.data.balance) return null
  const profile = data?.profile
  return (
    <Panel
      title="Billing profile"
      flush={Boolean(error && !data)}
      end={
        data && (
          <ActionButton operation={setBillingProfile} size="small" onClick={() => setChanging(true)}>
            {profile ? 'Change' : 'Fill in'}
          </ActionButton>
        )
      }
    >
      {error && !data ? (
        <ErrorState title="The profile could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : !data ? (
        <SkeletonLines />
      ) : profile ? (
        <Details profile={profile} />
      ) : data.waiting_months.length > 0 ? (
        <Notice tone="warn">
          The invoice of {data.waiting_months.map(monthName).join(', ')} waits for the billing profile: it says whom it is made out to.
        </Notice>
      ) : (
        <p className="text-fg-2">The first invoice needs to know whom it is made out to. Receipts until then name the account.</p>
      )}
      {changing && <ProfileForm profile={profile ?? null} onClose={() => setChanging(false)} />}
    </Panel>
  )
}

const monthName = (month: string) => new Date(`${month}-01`).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' })

const Details = ({ profile }: { profile: BillingProfile }) => (
  <Facts>
    <Fact label="Company">{profile.company}</Fact>
    <Fact label="Address">
      {addressWords(profile)}, {countryName(profile.country)}
    </Fact>
    <Fact label="Tax id">{profile.tax_id ? <span className="mono">{profile.tax_id}</span> : '—'}</Fact>
    <Fact label="Mail to">{profile.emails.join(', ')}</Fact>
  </Facts>
)
