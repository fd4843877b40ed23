coalesce(errors[array_upper(errors, 1)] ->> 'error', state::text)
