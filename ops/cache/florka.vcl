# Varnish 7.1 or newer (Debian's) in front of Florka; docs/operating.md, "A cache in front". ops/cache/drill.sh tests it.
# The site's headers decide what may be stored and for how long; nothing here extends that.
vcl 4.1;

backend site {
    .host = "127.0.0.1";
    .port = "3000";
    # The live stream sends a byte every 25 seconds.
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
}

# Addresses that may purge: the site's. Any other client with one of these addresses could empty the cache.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403, "Forbidden"));
        }
        # Only tags may be part of the expression.
        if (req.http.Surrogate-Key !~ "^[A-Za-z0-9-]+( [A-Za-z0-9-]+)*$") {
            return (synth(400, "Bad request"));
        }
        # Tags of stored responses are separated by commas, so that the expression needs no space.
        ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(,|$)");
        return (synth(200, "Purged"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # Responses that depend on the caller, or never end. The site marks them too; passing them avoids waiting for concurrent requests.
    if (req.url ~ "^/(rpc|live|uploads|webhooks|sandbox|healthz|readyz|metrics)([/?]|$)"
        || req.url ~ "^/(en/)?admin" || req.url ~ "\.data(\?|$)") {
        return (pass);
    }
    if (req.url ~ "^/api/" && (req.http.Cookie || req.http.Authorization)) {
        return (pass);
    }
    # The site redirects readers to their chosen language, and recognises the switch between the languages by the referrer.
    if (req.http.Cookie ~ "(^|;\s*)(__Host-)?florka\.language=") {
        return (pass);
    }
    if (req.http.Referer ~ "^https?://[^/]+/en(/|\?|#|$)") {
        if (req.url !~ "^/en(/|\?|$)") {
            return (pass);
        }
    } elsif (req.http.Referer && req.url ~ "^/en(/|\?|$)") {
        return (pass);
    }
    # Everything else is the same for everybody, and is fetched without cookies.
    unset req.http.Cookie;
    unset req.http.Authorization;
    return (hash);
}

sub vcl_hash {
    # The site has one address; the Host of a request has no effect.
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_response {
    # s-maxage, Age and stale-while-revalidate are read by Varnish itself. Responses without any would get its default time.
    if (beresp.http.Set-Cookie || !beresp.http.Cache-Control
        || beresp.http.Cache-Control ~ "(?i)(private|no-store|no-cache)") {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
        set beresp.grace = 0s;
    }
    return (deliver);
}

sub vcl_deliver {
    # The time in this cache does not apply to browsers: they revalidate each time, and get 304.
    if (req.url ~ "^/media/") {
        # Stored here for a year, by browsers for an hour from now; removed images are purged.
        set resp.http.Cache-Control = regsub(resp.http.Cache-Control, ", s-maxage=[0-9]+", "");
        unset resp.http.Cache-Tag;
        unset resp.http.Surrogate-Key;
        unset resp.http.Age;
    } elsif (resp.http.Cache-Tag) {
        set resp.http.Cache-Control = "private, " + regsub(
            regsub(resp.http.Cache-Control, "^.*(max-age=[1-9][0-9]*).*$", "\1"), "^public.*$", "no-cache");
        unset resp.http.Cache-Tag;
        unset resp.http.Surrogate-Key;
        unset resp.http.Age;
    }
    unset resp.http.X-Varnish;
    unset resp.http.Via;
    return (deliver);
}
