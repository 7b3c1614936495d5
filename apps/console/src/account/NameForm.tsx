import { updatePerson } from '@masthead/contract/account/details-operations'
import { FormProvider } from 'react-hook-form'
import { queries } from '../api/query.ts'
import { FormText } from '../kit/FormField.tsx'
import { useOperationForm } from '../kit/use-operation-form.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/FailureNotice.tsx'
import { toast } from '../ui/toast.ts'

/** What a person is called. Empty takes it away. */
export function NameForm({ name }: { name: string | null }) {
  const { form, submit, failure, submitting } = useOperationForm(updatePerson, {
    values: { name: name ?? '' },
    onDone: (reply) => {
      // The team shows it too.
      void queries.invalidateQueries({ queryKey: ['teams'] })
      toast.success(reply.name === null ? 'Your name is removed' : 'Your name is saved')
    },
  })
  return (
    <FormProvider {...form}>
      <form className="border-b border-line p-4" noValidate onSubmit={(event) => void submit(event)}>
        <div className="grid max-w-120 gap-4">
          <FormText name="name" label="Your name" autoComplete="name" hint="Your teams see it beside your e-mail." />
          {failure && <FailureNotice of={failure} />}
          <div>
            <Button type="submit" loading={submitting} disabled={!form.formState.isDirty && 'Nothing has changed'}>
              Save name
            </Button>
          </div>
        </div>
      </form>
    </FormProvider>
  )
}
