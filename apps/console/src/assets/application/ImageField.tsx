import { useQuery } from '@tanstack/react-query'
import { getApplication } from '@masthead/contract/devices/agent/operations'
import { listRepositories, listTags } from '@masthead/contract/registry/operations'
import { useId } from 'react'
import { useFormContext } from 'react-hook-form'
import { q } from '../../api/query.ts'
import { useMay } from '../../api/session.ts'
import { FormText } from '../../kit/FormField.tsx'
import { platformsWords, registryHost } from '../../registry/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { fits, ownImage } from './own-image.ts'

/** The image of a container: those of the account's registry are offered, and one that the device cannot run is named as such. */
export function ImageField({ asset_id }: { asset_id: string }) {
  const list = useId()
  const image = (useFormContext<{ image: string }>().watch('image') ?? '').trim()
  const mayPick = useMay(listRepositories)
  const host = registryHost()
  const repositories = useQuery({ ...q(listRepositories, { query: { page_size: 100 } }), enabled: mayPick }).data?.items ?? []
  const named = ownImage(image, host)
  const repository = repositories.find(({ name }) => name === named?.repository)
  const tags = useQuery({
    ...q(listTags, { params: { repository_id: repository?.id ?? '' }, query: { page_size: 100 } }),
    enabled: repository !== undefined,
  }).data?.items
  const tag = tags?.find(({ name, digest }) => (named?.digest ? digest === named.digest : name === named?.tag))
  const device = useQuery(q(getApplication, { params: { asset_id } })).data?.device
  const options =
    repository && tags ? tags.map(({ name }) => `${host}/${repository.name}:${name}`) : repositories.map(({ name }) => `${host}/${name}:`)
  return (
    <>
      <FormText
        name="image"
        label="Image and tag"
        placeholder="registry.example.com/acme/relay:2.4"
        list={list}
        {...(repositories.length > 0 && { hint: 'Images of your registry are offered as you type' })}
        mono
        spellCheck={false}
      />
      <datalist id={list}>
        {options.map((option) => (
          <option key={option} value={option} />
        ))}
      </datalist>
      {tag && device && !fits(tag.platforms, device.architecture) && (
        <Notice tone="warn">
          The image is built for {platformsWords(tag.platforms)}, and the processor of this device is {device.architecture}: its container
          will not start there.
        </Notice>
      )}
    </>
  )
}
