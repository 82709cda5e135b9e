# Varnish 7.1 or newer (Debian's) in front of Florka; docs/operating.md, "A cache in front". ops/cache/drill.sh tries it.
# The site says what may be kept and for how long; nothing here lengthens that.
vcl 4.1;

backend site {
    .host = "127.0.0.1";
    .port = "3000";
    # The live stream sends a byte every 25 seconds.
    .first_byte_timeout = 60s;
    .between_bytes_timeout = 60s;
}

# Who may say that something changed: the site. Whoever else reaches this port as one of these could empty the cache.
acl purgers {
    "127.0.0.1";
    "::1";
}

sub vcl_recv {
    if (req.method == "PURGE") {
        if (client.ip !~ purgers) {
            return (synth(403, "Forbidden"));
        }
        # Nothing but tags may reach the expression.
        if (req.http.Surrogate-Key !~ "^[A-Za-z0-9-]+( [A-Za-z0-9-]+)*$") {
            return (synth(400, "Bad request"));
        }
        # Tags of kept answers are separated by commas, so that the expression needs no space.
        ban("obj.http.Cache-Tag ~ (^|,)(" + regsuball(req.http.Surrogate-Key, " ", "|") + ")(,|$)");
        return (synth(200, "Purged"));
    }
    if (req.method != "GET" && req.method != "HEAD") {
        return (pass);
    }
    # What depends on who asks, or never ends. The site says so too; asking for it at once spares waiting for each other.
    if (req.url ~ "^/(rpc|live|uploads|webhooks|sandbox|healthz|readyz|metrics)([/?]|$)"
        || req.url ~ "^/(en/)?admin" || req.url ~ "\.data(\?|$)") {
        return (pass);
    }
    if (req.url ~ "^/api/" && (req.http.Cookie || req.http.Authorization)) {
        return (pass);
    }
    # Whoever chose a language is led to it by the site, and whoever follows the switch between the languages has chosen.
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
    # Everything else is the same for everybody, and is asked for as nobody.
    unset req.http.Cookie;
    unset req.http.Authorization;
    return (hash);
}

sub vcl_hash {
    # The site answers for one address, whatever the Host of a request says.
    hash_data(req.url);
    return (lookup);
}

sub vcl_backend_response {
    # s-maxage, Age and stale-while-revalidate are read by Varnish itself. It would choose a time for what says none.
    if (beresp.http.Set-Cookie || !beresp.http.Cache-Control
        || beresp.http.Cache-Control ~ "(?i)(private|no-store|no-cache)") {
        set beresp.uncacheable = true;
        set beresp.ttl = 10s;
        set beresp.grace = 0s;
    }
    return (deliver);
}

sub vcl_deliver {
    # A page's own time here is no browser's business: it asks each time, and gets 304.
    if (req.url ~ "^/media/") {
        # Kept here for a year, by browsers for an hour from now; what is gone is purged.
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
