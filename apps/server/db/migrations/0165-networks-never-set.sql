-- serves from 0030
-- Adding or deleting an eSIM profile counted as a change of the network's settings. Where no setting is wanted and what is wanted last is such a job,
-- or the device knows of it already, there is none: 0. What was set and taken back and the device has not asked for stays, or it would keep the setting.
update device_network set generation = 0, sent_generation = case when sent_generation = generation then 0 end
where generation > 0 and priority is null and apn is null and wifi is null and profile is null and pin_generation is null
  and (sent_generation = generation or (esim_job ->> 'generation')::bigint = generation);
