import { setPoolTags, updateDataPool, type PoolDetails } from '@masthead/contract/datapools/operations'
import { overagePolicies, type OveragePolicy } from '@masthead/contract/datapools/package'
import { whyNoMore } from '@masthead/contract/datapools/pool'
import { FormProvider, useFormContext, useWatch } from 'react-hook-form'
import { FormNumber, FormText } from '../kit/FormField.tsx'
import { useListError } from '../kit/FormLines.tsx'
import { FormSelect } from '../kit/FormSelect.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { useOperation } from '../api/query.ts'
import { useTags } from '../tags/index.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { Notice } from '../ui/Notice.tsx'
import { TagPicker } from '../ui/TagPicker.tsx'
import { TextField } from '../ui/TextField.tsx'
import { toast } from '../ui/toast.ts'
import { AutoRenew } from './AutoRenew.tsx'
import { BuyMore } from './BuyMore.tsx'
import { joiningWords, needsMore, policyEffect, renewalWords } from './pool-words.ts'
import { usePoolClosed } from './use-pool-closed.ts'

const policies = Object.entries(overagePolicies).map(([value, label]) => ({ value, label }))

/** What a pool is called, what happens after it, and whose SIMs draw from it. */
export const PoolSettings = ({ pool }: { pool: PoolDetails }) => (
  <div className="grid gap-8">
    <MoreData pool={pool} />
    <TermsForm pool={pool} />
    {pool.state !== 'ended' && <Renewal pool={pool} />}
    <PoolTags pool={pool} />
  </div>
)

/** What gives it more data for its term, or who. */
function MoreData({ pool }: { pool: PoolDetails }) {
  if (!needsMore(pool)) return null
  const why = whyNoMore(pool)
  return why ? <p className="text-fg-2">{why}.</p> : <BuyMore pool={pool} />
}

/** Whoever wants no more of a pool looks for it here. */
const Renewal = ({ pool }: { pool: PoolDetails }) => (
  <div className="grid gap-1">
    <AutoRenew pool={pool} />
    <p className="text-xs text-pretty text-fg-3">{renewalWords(pool)}</p>
  </div>
)

function TermsForm({ pool }: { pool: PoolDetails }) {
  const closed = usePoolClosed(updateDataPool, pool)
  const { name, overage_policy, overage_percent, priority, thresholds } = pool
  const { form, submit, failure, submitting } = useOperationForm(updateDataPool, {
    values: { name, overage_policy, ...(overage_percent !== null && { overage_percent }), priority, thresholds },
    input: ({ overage_percent: percent, ...body }) => ({
      params: { pool_id: pool.id },
      body: { ...body, ...(body.overage_policy === 'percent' && percent != null && { overage_percent: percent }) },
    }),
    onDone: () => void toast.success('The data pool was changed'),
  })
  return (
    <FormProvider {...form}>
      <form noValidate className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <FormText name="name" label="Name" />
        <AfterThePool pool={pool} />
        <ThresholdField />
        <FormNumber
          name="priority"
          label="Order"
          decimals={0}
          min={1}
          max={1000}
          hint="Where a SIM draws from several pools, the one with the lowest number comes first; of two that are alike, the one whose term ends first."
        />
        {failure && <FailureNotice of={failure} />}
        <Button type="submit" color="primary-solid" className="justify-self-start" loading={submitting} disabled={closed}>
          Save
        </Button>
      </form>
    </FormProvider>
  )
}

function AfterThePool({ pool }: { pool: PoolDetails }) {
  const [policy, percent] = useWatch({ name: ['overage_policy', 'overage_percent'] }) as [OveragePolicy, number | null | undefined]
  const isSaid = policy !== 'percent' || percent != null
  const effect = isSaid ? policyEffect(pool, { overage_policy: policy, overage_percent: percent ?? null }) : null
  return (
    <>
      <FormSelect
        name="overage_policy"
        label="After the pool"
        options={policies}
        hint={
          policy === 'stop'
            ? 'Its SIMs lose their service when the pool is used up, unless another pool has data for them.'
            : policy === 'percent'
              ? 'Its SIMs go on until so much more is used, then they lose their service.'
              : 'Its SIMs go on; what they use beyond the pool is charged by the megabyte.'
        }
      />
      {policy === 'percent' && <FormNumber name="overage_percent" label="Per cent more" decimals={0} min={1} max={500} />}
      {effect && <Notice tone={effect.takes ? 'warn' : 'info'}>{effect.words}</Notice>}
    </>
  )
}

const numbers = (text: string) =>
  text
    .split(/[\s,;%]+/)
    .filter((each) => each !== '')
    .map(Number)

/** Per cents in one line, as they are said. */
function ThresholdField() {
  const { setValue, formState, getValues } = useFormContext<{ thresholds: number[] }>()
  const message = useListError('thresholds')
  return (
    <TextField
      label="Alerts at"
      hint="Per cents of the pool, like 80, 95. Empty: no alert before it is used up. For what one SIM takes of it, make a rule under Notifications."
      defaultValue={getValues('thresholds').join(', ')}
      error={message}
      onChange={(event) =>
        setValue('thresholds', numbers(event.target.value), { shouldDirty: true, shouldValidate: formState.isSubmitted })
      }
    />
  )
}

/** Assets with one of these tags draw from the pool, now and whenever they are tagged. */
function PoolTags({ pool }: { pool: PoolDetails }) {
  const tags = useTags()
  const closed =
    usePoolClosed(setPoolTags, pool) ??
    (pool.bought && pool.kind === 'dynamic' ? 'Each SIM of this pool is paid when it is added: add assets under SIMs' : null)
  const mutation = useOperation(setPoolTags)
  const chosen = mutation.isPending ? mutation.variables.body!.tags : pool.tags.map(({ id }) => id)
  return (
    <div className="grid gap-2">
      <TagPicker
        label="Tags"
        hint={
          closed ??
          ['Assets with one of these tags draw from the pool, now and whenever they are tagged.', joiningWords(pool)].join(' ').trim()
        }
        tags={tags ?? []}
        chosen={chosen}
        max={20}
        disabled={closed !== null || mutation.isPending}
        onChange={(ids) => mutation.mutate({ params: { pool_id: pool.id }, body: { tags: ids } })}
      />
      {mutation.error && <FailureNotice of={mutation.error} />}
    </div>
  )
}
