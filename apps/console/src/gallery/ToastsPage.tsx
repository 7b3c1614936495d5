import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Notice.tsx'
import { plain, toast } from '../ui/toast.ts'
import { Section, Specimen } from './Specimen.tsx'

export function ToastsPage() {
  return (
    <>
      <Section
        title="Toasts"
        about="At the lower right for 5 seconds; a pointer or the focus on one stops its time. A screen reader hears each once."
      >
        <Specimen name="types">
          <Button onClick={() => toast.success('The limit is 1 GB now.')}>Success</Button>
          <Button
            onClick={() => toast.info('9 done, 1 failed. <a href="#/toasts">See the job</a>', { title: '12 SIMs are being activated' })}
          >
            Info
          </Button>
          <Button onClick={() => toast.error('The group was edited by m.vries a moment ago.', { title: 'Limit not changed' })}>
            Error
          </Button>
        </Specimen>
        <Specimen name="time">
          <Button onClick={() => toast.info('Until it is dismissed.', { title: 'Stays', timeout: 0 })}>Stays</Button>
          <Button onClick={() => toast.success('Gone in two seconds.', { timeout: 2000 })}>Two seconds</Button>
        </Specimen>
        <Specimen name="what is written">
          <Button
            onClick={() =>
              toast.info(
                '<b>Bold</b> <img src="x" onerror="document.title = \'broken\'"><script>document.title = "broken"</script> and <a href="javascript:void(0)">linked</a>',
                {
                  title: 'Cleaned',
                  timeout: 0,
                }
              )
            }
          >
            With markup
          </Button>
          <Button onClick={() => toast.success(`Renamed to ${plain('<b>loud</b>')}.`, { timeout: 0 })}>With a name in it</Button>
        </Specimen>
      </Section>
      <Section title="Notices" about="What matters inside a page or a dialog.">
        <Notice
          tone="warn"
          action={
            <a href="#/toasts" className="font-medium underline underline-offset-3">
              Add credits
            </a>
          }
        >
          Your account is suspended. Please add a valid payment method and credits to your account.
        </Notice>
        <Notice tone="info">You act for Acme Telemetry. You see assets tagged eu.</Notice>
        <Notice tone="ok">The key was made. Copy it now: it is shown once.</Notice>
        <Notice tone="bad">The card was declined by its bank.</Notice>
      </Section>
    </>
  )
}
