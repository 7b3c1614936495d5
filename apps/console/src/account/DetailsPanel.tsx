import { useQuery } from '@tanstack/react-query'
import { updateAccount } from '@masthead/contract/account/details-operations'
import { getAccount } from '@masthead/contract/account/operations'
import type { Account } from '@masthead/contract/account/account'
import { FormProvider } from 'react-hook-form'
import { q } from '../api/query.ts'
import { fetchUser } from '../api/session.ts'
import { ActionButton, useDenied } from '../kit/ActionButton.tsx'
import { FormText } from '../kit/FormField.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { UnsavedQuestion } from '../kit/LeaveQuestion.tsx'
import { timeZoneOptions } from '../kit/time-zones.ts'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { ErrorState } from '../ui/EmptyState.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Panel } from '../ui/Panel.tsx'
import { SkeletonLines } from '../ui/Skeleton.tsx'
import { toast } from '../ui/toast.ts'

/** The account's own name and time zone. */
export function DetailsPanel() {
  const { data: account, error, refetch } = useQuery(q(getAccount, {}))
  return (
    <Panel title="Account" className={account || error ? '' : 'min-h-74'}>
      {account ? (
        <DetailsForm account={account} />
      ) : error ? (
        <ErrorState title="The account could not be loaded" failure={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonLines lines={4} />
      )}
    </Panel>
  )
}

function DetailsForm({ account }: { account: Account }) {
  const { form, submit, failure, submitting } = useOperationForm(updateAccount, {
    values: { team_name: account.team_name, timezone: account.timezone },
    onDone: async (_reply, saved) => {
      form.reset(saved, { keepValues: true })
      // The name stands in the bar at the top too.
      await fetchUser()
      toast.success('Account saved')
    },
  })
  const denied = useDenied()(updateAccount)
  return (
    <FormProvider {...form}>
      <UnsavedQuestion dirty={form.formState.isDirty && !submitting} what="You have changed the account." />
      <form className="grid max-w-120 gap-4" noValidate onSubmit={(event) => void submit(event)}>
        <FormText name="team_name" label="Team name" autoComplete="organization" disabled={denied !== null} />
        <FormSelect
          name="timezone"
          label="Time zone"
          options={timeZoneOptions(account.timezone)}
          search
          disabled={denied !== null}
          hint="For quiet hours and for times in e-mails. Billing periods are calendar months in UTC for everybody."
        />
        {failure && <FailureNotice of={failure} />}
        <div>
          <ActionButton
            operation={updateAccount}
            type="submit"
            loading={submitting}
            disabled={!form.formState.isDirty && 'Nothing has changed'}
          >
            Save
          </ActionButton>
        </div>
      </form>
    </FormProvider>
  )
}
